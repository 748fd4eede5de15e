import { toAppError } from '../../../core/base/errors.ts';
import { visibleText } from '../../../core/base/text/visible-text.ts';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { readShownLog } from './reading/download.ts';
import { writeReference, type ChosenLines } from './lines/line-choice.ts';
import type { LogDocument } from './reading/log-document.ts';
import type { LineRows } from './rows/line-rows.ts';
import type { RowSelection } from './rows/row-selection.ts';

/** Lines that a clipboard is given at most. */
export const copiedLines = 10_000;

/**
 * Says what happened, in the clipboard or not. A text that has yet to be read is handed over as a promise: the browser
 * then remembers that somebody has asked for it.
 */
async function copyText(text: string | Promise<string>, what = 'Copied'): Promise<void> {
  const read = Promise.resolve(text).then((known) => new Blob([known], { type: 'text/plain' }));
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': read })]);
    showToast('info', what);
  } catch {
    const reason = await read.then(
      () => 'this page has no access to the clipboard.',
      (thrown: unknown) => toAppError(thrown).message,
    );
    showToast('error', `Could not copy: ${reason}`);
  }
}

const countCopied = (lines: number): string =>
  lines === 1 ? 'Copied' : `Copied ${lines.toLocaleString('en')} lines`;

/** Copies chosen lines, as they are seen. */
export const copyChosen = (log: LogDocument, { stream, from, to }: ChosenLines): Promise<void> =>
  copyText(
    log.readRange(stream, from, to + 1).then((lines) => lines.map(visibleText).join('\n')),
    countCopied(to - from + 1),
  );

/** Copies rows from one column to another, whether or not they are on the page. */
export const copyRows = (log: LogDocument, rows: LineRows, selection: RowSelection): Promise<void> =>
  copyText(
    readRows(log, rows, selection.from, selection.to + 1).then((text) => cutEnds(text, selection)),
    countCopied(selection.to - selection.from + 1),
  );

/** Only what is between the columns of the first and the last line. */
export function cutEnds(
  text: string,
  { fromColumn, toColumn }: Pick<RowSelection, 'fromColumn' | 'toColumn'>,
): string {
  const last = text.lastIndexOf('\n') + 1;
  const first = text.indexOf('\n');
  return text.slice(Math.min(fromColumn, first < 0 ? text.length : first), last + toColumn);
}

/** Rows as they are shown. @param to exclusive */
async function readRows(log: LogDocument, rows: LineRows, from: number, to: number): Promise<string> {
  const part: LineRows = { ...rows, count: to - from, at: (row) => rows.at(from + row) };
  const blob = await readShownLog(log, part, { prefixOf: () => '', tell: () => undefined });
  return (await blob.text()).replace(/\n$/, '');
}

export const copyReference = (log: LogDocument, chosen: ChosenLines): Promise<void> =>
  copyText(writeReference(log.address, chosen));

/** Copies the newest rows, as they are shown. */
export const copyNewest = (log: LogDocument, rows: LineRows): Promise<void> =>
  copyText(readRows(log, rows, Math.max(0, rows.count - copiedLines), rows.count));
