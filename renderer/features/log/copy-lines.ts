import { visibleText } from '../../../core/base/visible-text.ts';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { readShownLog } from './download.ts';
import { writeReference, type ChosenLines } from './line-choice.ts';
import type { LogDocument } from './log-document.ts';
import type { LineRows } from './rows/line-rows.ts';

/** Lines that a clipboard is given at most. */
export const copiedLines = 10_000;

/** Says what happened, in the clipboard or not. */
async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showToast('info', 'Copied');
  } catch {
    showToast('error', 'The text could not be copied: the clipboard is not available to this page.');
  }
}

/** Copies chosen lines, as they are seen. */
export async function copyChosen(log: LogDocument, { stream, from, to }: ChosenLines): Promise<void> {
  const lines = await log.readRange(stream, from, Math.min(to, from + copiedLines - 1) + 1);
  await copyText(lines.map(visibleText).join('\n'));
}

export const copyReference = (log: LogDocument, chosen: ChosenLines): Promise<void> =>
  copyText(writeReference(log.address, chosen));

/** Copies the newest rows, as they are shown. */
export async function copyNewest(log: LogDocument, rows: LineRows): Promise<void> {
  const from = Math.max(0, rows.count - copiedLines);
  const part: LineRows = { ...rows, count: rows.count - from, at: (row) => rows.at(from + row) };
  const blob = await readShownLog(log, part, { prefixOf: () => '', tell: () => undefined });
  await copyText((await blob.text()).replace(/\n$/, ''));
}
