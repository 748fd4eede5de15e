import type { StepLines } from '../yaml/reparse/step-lines.ts';

export interface TextWithSteps {
  readonly text: string;
  readonly lines: StepLines;
}

/** A step whose lines contain all differences between two texts. */
export interface ChangedItem {
  /** Index among the items of the list or map of steps. */
  readonly item: number;
  /** Number of characters by which the text has grown. */
  readonly by: number;
}

/**
 * Finds the only step that differs, if the number of lines is the same, so that the lines of everything else are
 * unchanged. Returns undefined if anything else differs, or for the last step, whose end depends on what follows.
 */
export function findChangedItem(before: TextWithSteps, now: TextWithSteps): ChangedItem | undefined {
  const { from, tail } = findDifference(before.text, now.text);
  const isWithinLine = [before.text, now.text].every(
    (text) => !/[\r\n]/.test(text.slice(from, text.length - tail)),
  );
  const { starts } = before.lines;
  const item = starts.findLastIndex((start) => start <= from);
  const end = starts[item + 1];
  if (!isWithinLine || item < 0 || end === undefined || end > before.text.length) return undefined;
  const by = now.text.length - before.text.length;
  return startsUnchanged(before.lines, now.lines, { item, by }) ? { item, by } : undefined;
}

function findDifference(before: string, now: string): { readonly from: number; readonly tail: number } {
  const shorter = Math.min(before.length, now.length);
  let from = 0;
  while (from < shorter && before.charCodeAt(from) === now.charCodeAt(from)) from += 1;
  let tail = 0;
  while (
    tail < shorter - from &&
    before.charCodeAt(before.length - 1 - tail) === now.charCodeAt(now.length - 1 - tail)
  )
    tail += 1;
  return { from, tail };
}

/** Whether each step starts where it did before; steps after the changed one are shifted by the growth of the text. */
function startsUnchanged(before: StepLines, now: StepLines, { item, by }: ChangedItem): boolean {
  const isSame = (start: number, index: number): boolean =>
    now.starts[index] === start + (index > item ? by : 0);
  return (
    before.form === now.form &&
    before.column === now.column &&
    before.starts.length === now.starts.length &&
    before.starts.every(isSame)
  );
}
