import { isBlankFrom, nextLine } from '../lines.ts';

/** The lines of a list or map of steps, told by their indentation alone. */
export interface StepLines {
  readonly form: 'list' | 'map';
  /** Of the `-` or the name of each item, 0-based. */
  readonly column: number;
  /** Where the line of each item begins; comments above an item count as those of the one before. */
  readonly starts: readonly number[];
  /** Behind the last of them. */
  readonly end: number;
}

/** A step of a list, and of a map: a name that nobody would put in quotes. */
const beginnings = { list: /-(?!\S)/y, map: /[A-Za-z_][\w.-]*:(?!\S)/y } as const;

/**
 * The lines of the first list or map below `steps:`, which is written over lines. A guess: what looks like a list may stand
 * within a text in quotes, so whoever relies on it compares it with what the parser finds.
 */
export function findStepLines(text: string): StepLines | undefined {
  // Directives and a byte order mark change how all that follows is read.
  if (text.startsWith('\uFEFF') || /^%/m.test(text)) return undefined;
  const key = /^steps:[ \t]*(?:#.*)?\r?\n/m.exec(text);
  if (key === null) return undefined;
  const starts: number[] = [];
  let column = -1;
  let form: StepLines['form'] = 'list';
  let at = key.index + key[0].length;
  for (; at < text.length; at = nextLine(text, at)) {
    let first = at;
    while (text[first] === ' ') first += 1;
    if (text[first] === '#' || isBlankFrom(text, first)) continue;
    if (column === -1) {
      column = first - at;
      // In the first column there are the other fields of the workflow.
      if (column > 0 && text[first] !== '-') form = 'map';
    }
    if (first - at > column) continue;
    beginnings[form].lastIndex = first;
    const isItem = first - at === column && beginnings[form].test(text);
    // Keys of another kind are steps as well, which is for the parser to tell.
    if (!isItem && form === 'map' && first - at === column) return undefined;
    if (!isItem) break;
    starts.push(at);
  }
  return { form, column, starts, end: at };
}

/** Behind the last line of an item. */
export const endOfItem = ({ starts, end }: StepLines, item: number): number => starts[item + 1] ?? end;
