import type { Document } from 'yaml';
import { MAX_TOKENS } from '../../spec/limits.ts';
import { isBlankFrom, nextLine } from './text-edits.ts';
import { fillFrame, findList, readFrame, readItems, type Item, type StepCollection } from './frame.ts';

interface Lines {
  readonly text: string;
  readonly lines: StepLines;
}

/**
 * Returns, for each item except the last one, the index of the item with the same lines in another text, or -1. Common
 * items at the start and end are compared in place; only the items between are looked up, so that moved steps are
 * found, too. The last item of the other text never matches, because it was parsed with what follows the steps.
 */
function matchItems(now: Lines, before: Lines): number[] {
  const [count, others] = [now.lines.starts.length - 1, before.lines.starts.length - 1];
  const matches = Array.from({ length: count }, () => -1);
  const isSame = (item: number, other: number): boolean => isSameText(now, item, before, other);
  const shorter = Math.min(count, others);
  let head = 0;
  while (head < shorter && isSame(head, head)) {
    matches[head] = head;
    head += 1;
  }
  let tail = 0;
  while (tail < shorter - head && isSame(count - 1 - tail, others - 1 - tail)) {
    tail += 1;
    matches[count - tail] = others - tail;
  }
  const between = new Map<string, number>();
  for (let other = others - tail - 1; other >= head; other -= 1) between.set(getLines(before, other), other);
  for (let item = head; item < count - tail; item += 1)
    matches[item] = between.get(getLines(now, item)) ?? -1;
  return matches;
}

const getLines = ({ text, lines }: Lines, item: number): string =>
  text.slice(lines.starts[item], getItemEnd(lines, item));

function isSameText(now: Lines, item: number, before: Lines, other: number): boolean {
  const start = now.lines.starts[item]!;
  const from = before.lines.starts[other]!;
  const length = getItemEnd(before.lines, other) - from;
  if (getItemEnd(now.lines, item) - start !== length) return false;
  return now.text.startsWith(before.text.slice(from, from + length), start);
}

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
const getItemEnd = ({ starts, end }: StepLines, item: number): number => starts[item + 1] ?? end;

/** A text with its parsed documents. */
export interface ReadText {
  readonly text: string;
  readonly documents: readonly Document.Parsed[];
}

/** A list or map of steps in a text, with its lines. */
interface LocatedSteps extends StepCollection {
  readonly lines: StepLines;
}

/**
 * Parses a text that is similar to a text that is already parsed: only new steps and the text around the steps are
 * parsed. The documents are the same as those of parsing the whole text.
 * @returns undefined if this cannot be guaranteed, for example for an invalid text; then the whole text must be parsed
 */
export function reparse(text: string, near: ReadText): readonly Document.Parsed[] | undefined {
  // A text this short has few enough tokens, however it is divided.
  if (text.length > MAX_TOKENS) return undefined;
  // It is unknown which step a warning belongs to.
  if (near.documents.some(({ warnings }) => warnings.length > 0)) return undefined;
  const known = findSteps(near);
  const lines = known && findStepLines(text);
  if (known === undefined || lines === undefined || lines.starts.length < 2) return undefined;
  if (lines.form !== known.lines.form) return undefined;
  const frame = readFrame(text, lines);
  if (frame === undefined) return undefined;
  const items = collectItems(text, lines, { ...known, text: near.text });
  if (items === undefined) return undefined;
  fillFrame(frame, items);
  const { root, list, position } = frame;
  locatedSteps.set(frame.documents, { lines, root, list, position });
  return frame.documents;
}

const locatedSteps = new WeakMap<readonly Document.Parsed[], LocatedSteps | undefined>();

/** Finds the steps of a parsed text; undefined if they cannot be found by lines. */
export function findSteps({ text, documents }: ReadText): LocatedSteps | undefined {
  if (!locatedSteps.has(documents)) {
    const lines = findStepLines(text);
    const found = lines && findList(documents, lines);
    locatedSteps.set(documents, lines && found && { lines, ...found });
  }
  return locatedSteps.get(documents);
}

/** Collects all items except the last one. */
function collectItems(
  text: string,
  lines: StepLines,
  known: LocatedSteps & { readonly text: string },
): Item[] | undefined {
  const matches = matchItems({ text, lines }, known);
  const items: Item[] = [];
  for (let item = 0; item < matches.length;) {
    const match = matches[item]!;
    if (match >= 0) {
      const by = lines.starts[item]! - known.lines.starts[match]!;
      items.push({ list: known.list, index: match, by });
      item += 1;
      continue;
    }
    let end = item;
    while (matches[end] === -1) end += 1;
    const read = readItems(text, lines, item, end);
    if (read === undefined) return undefined;
    items.push(...read);
    item = end;
  }
  return items;
}
