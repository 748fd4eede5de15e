import { isBlankFrom, nextLine } from '../lines.ts';

/** The lines of a list of steps, told by their indentation alone. */
export interface StepLines {
  /** Of the `-` of each item, 0-based. */
  readonly column: number;
  /** Where the line of each item begins; comments above an item count as those of the one before. */
  readonly starts: readonly number[];
  /** Behind the last of them. */
  readonly end: number;
}

/**
 * The lines of the first list below `steps:`, which is written over lines. A guess: what looks like a list may stand within
 * a text in quotes, so whoever relies on it compares it with what the parser finds.
 */
export function findStepLines(text: string): StepLines | undefined {
  // Directives and a byte order mark change how all that follows is read.
  if (text.startsWith('\uFEFF') || /^%/m.test(text)) return undefined;
  const key = /^steps:[ \t]*(?:#.*)?\r?\n/m.exec(text);
  if (key === null) return undefined;
  const starts: number[] = [];
  let column = -1;
  let at = key.index + key[0].length;
  for (; at < text.length; at = nextLine(text, at)) {
    let first = at;
    while (text[first] === ' ') first += 1;
    if (text[first] === '#' || isBlankFrom(text, first)) continue;
    if (column === -1) column = first - at;
    if (first - at > column) continue;
    if (first - at < column || text[first] !== '-' || !/\s/.test(text[first + 1] ?? '\n')) break;
    starts.push(at);
  }
  return { column, starts, end: at };
}

/** Behind the last line of an item. */
export const endOfItem = ({ starts, end }: StepLines, item: number): number => starts[item + 1] ?? end;
