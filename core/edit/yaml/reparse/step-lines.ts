import { isBlankFrom, nextLine } from '../lines.ts';

/** The lines of a list or map of steps, found by indentation alone. */
export interface StepLines {
  readonly form: 'list' | 'map';
  /** 0-based column of the `-` or name of each item. */
  readonly column: number;
  /** Start of the line of each item; comments above an item belong to the previous one. */
  readonly starts: readonly number[];
  /** Offset after the last item. */
  readonly end: number;
}

/** The start of a step in a list, and in a map with a name that needs no quotes. */
const beginnings = { list: /-(?!\S)/y, map: /[A-Za-z_][\w.-]*:(?!\S)/y } as const;

/**
 * Finds the lines of the first list or map in block style below `steps:`. The result is a guess, because a quoted
 * string may contain text that looks like a list; callers must compare it with the parser's result.
 */
export function findStepLines(text: string): StepLines | undefined {
  // Directives and a byte order mark change how the following text is parsed.
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
      // The other fields of the workflow are in the first column.
      if (column > 0 && text[first] !== '-') form = 'map';
    }
    if (first - at > column) continue;
    beginnings[form].lastIndex = first;
    const isItem = first - at === column && beginnings[form].test(text);
    // Keys in another form are steps, too; they need the parser.
    if (!isItem && form === 'map' && first - at === column) return undefined;
    if (!isItem) break;
    starts.push(at);
  }
  return { form, column, starts, end: at };
}

/** Returns the end of an item. */
export const endOfItem = ({ starts, end }: StepLines, item: number): number => starts[item + 1] ?? end;
