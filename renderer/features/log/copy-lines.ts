import { toAppError } from '../../../core/base/errors.ts';
import { visibleText } from '../../../core/base/text/visible-text.ts';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { renderLogAsText } from './reading/download.ts';
import { writeReference, type SelectedLines } from './lines/line-choice.ts';
import type { LogDocument } from './reading/log-document.ts';
import type { LineRows } from './rows/line-rows.ts';
import type { RowSelection } from './rows/row-selection.ts';

/** Maximum number of lines to copy. */
export const maxCopiedLines = 10_000;

/**
 * Copies text and shows the result. Text that is not loaded yet is passed as a promise, so that the browser
 * still counts the copy as a user action.
 */
async function copyText(text: string | Promise<string>, what = 'Copied'): Promise<void> {
  const read = Promise.resolve(text).then((known) => new Blob([known], { type: 'text/plain' }));
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': read })]);
    showToast('info', what);
  } catch {
    const reason = await read.then(
      () => 'this page has no access to the clipboard.',
      (error: unknown) => toAppError(error).message,
    );
    showToast('error', `Could not copy: ${reason}`);
  }
}

const countCopied = (lines: number): string =>
  lines === 1 ? 'Copied' : `Copied ${lines.toLocaleString('en')} lines`;

/** Copies the selected lines as displayed. */
export const copyChosen = (log: LogDocument, { stream, from, to }: SelectedLines): Promise<void> =>
  copyText(
    log.readRange(stream, from, to + 1).then((lines) => lines.map(visibleText).join('\n')),
    countCopied(to - from + 1),
  );

/** Copies rows between two columns, whether or not they are rendered. */
export const copyRows = (log: LogDocument, rows: LineRows, selection: RowSelection): Promise<void> =>
  copyText(
    readRows(log, rows, selection.from, selection.to + 1).then((text) => trimToColumns(text, selection)),
    countCopied(selection.to - selection.from + 1),
  );

/** Cuts the first and last line to the selected columns. */
export function trimToColumns(
  text: string,
  { fromColumn, toColumn }: Pick<RowSelection, 'fromColumn' | 'toColumn'>,
): string {
  const last = text.lastIndexOf('\n') + 1;
  const first = text.indexOf('\n');
  return text.slice(Math.min(fromColumn, first < 0 ? text.length : first), last + toColumn);
}

/** Reads rows as displayed. @param to exclusive */
async function readRows(log: LogDocument, rows: LineRows, from: number, to: number): Promise<string> {
  const part: LineRows = { ...rows, count: to - from, at: (row) => rows.at(from + row) };
  const blob = await renderLogAsText(log, part, { prefixOf: () => '', notify: () => undefined });
  return (await blob.text()).replace(/\n$/, '');
}

export const copyReference = (log: LogDocument, chosen: SelectedLines): Promise<void> =>
  copyText(writeReference(log.address, chosen));

/** Copies the newest rows as displayed. */
export const copyNewest = (log: LogDocument, rows: LineRows): Promise<void> =>
  copyText(readRows(log, rows, Math.max(0, rows.count - maxCopiedLines), rows.count));
