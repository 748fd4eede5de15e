import type { TextChange } from '../text-change.ts';
import { blockLines, followsKeepChomping, isBlankAbove, skipBlankLines } from './block-lines.ts';
import type { EditableText } from './editable-text.ts';
import { endsWithKeepChomping, getEntries, type Collection, type Entry } from './entries.ts';
import { getColumn, getLineBreak, lineEnd, nextLine } from './text-edits.ts';
import { linesBelow } from './replace-value.ts';

/** Returns the column of the `-` or keys of a block list or map. */
export function getEntriesColumn(text: string, collection: Collection): number {
  return getColumn(text, getEntries(collection)[0]!.from);
}

/**
 * Inserts lines before an entry or after the last one. If blank lines separate the neighbors, a blank line separates
 * the new entry, too.
 * @param lines with the indentation of the collection
 */
export function insertLines(
  editable: EditableText,
  collection: Collection,
  index: number,
  lines: readonly string[],
): TextChange[] {
  const { text } = editable;
  const entries = getEntries(collection);
  const lineBreak = getLineBreak(text);
  const next = entries[index];
  if (next === undefined) {
    const last = entries.at(-1)!;
    const { to } = blockLines(editable, last);
    const gap = hasBlankLineBefore(editable, last) && !endsWithKeepChomping(last.value) ? lineBreak : '';
    return [{ from: to, to, insert: gap + linesBelow(lines, lineBreak) }];
  }
  const { from, isInline } = blockLines(editable, next);
  if (!isInline) {
    const gap = hasBlankLineBefore(editable, next) && !followsKeepChomping(next) ? lineBreak : '';
    return [{ from, to: from, insert: lines.join(lineBreak) + lineBreak + gap }];
  }
  const column = getColumn(text, next.from);
  const [first, ...rest] = lines;
  const insert = first!.slice(column) + linesBelow(rest, lineBreak) + lineBreak + ' '.repeat(column);
  return [{ from, to: from, insert }];
}

/** Whether a blank line separates an entry from the previous one. */
function hasBlankLineBefore(editable: EditableText, entry: Entry): boolean {
  return entry.index > 0 && isBlankAbove(editable.text, blockLines(editable, entry).from);
}

/**
 * Removes entries with their lines and comments, and one of the blank gaps around them. If all are removed, `{}` or
 * `[]` is written, because an empty value would be `null`.
 * @param removed in ascending order
 * @param holder the entry whose value the collection is; absent at the root of a document
 */
export function removeLines(
  editable: EditableText,
  collection: Collection,
  removed: readonly Entry[],
  holder: Entry | undefined,
): TextChange[] {
  const entries = getEntries(collection);
  if (removed.length === entries.length) return removeAll(editable, collection, holder);
  const changes: TextChange[] = [];
  const leading = removed.findIndex((entry, position) => entry.index !== position);
  const first = blockLines(editable, entries[0]!);
  const inline = first.isInline ? (leading < 0 ? removed.length : leading) : 0;
  if (inline > 0) {
    // The next entry moves up to the `- `.
    const { to } = blockLines(editable, removed[inline - 1]!);
    const next = skipBlankLines(editable.text, nextLine(editable.text, to));
    const indent = /^[ \t]*/.exec(editable.text.slice(next))![0].length;
    changes.push({ from: first.from, to: next + indent, insert: '' });
  }
  for (const run of groupAdjacent(editable, removed.slice(inline)))
    changes.push(removeAdjacent(editable, run));
  return changes;
}

/** Groups entries that are separated by blank lines only. */
function groupAdjacent(editable: EditableText, removed: readonly Entry[]): Entry[][] {
  const runs: Entry[][] = [];
  for (const entry of removed) {
    const before = runs.at(-1)?.at(-1);
    const isNext = before !== undefined && before.index === entry.index - 1;
    const between = isNext
      ? editable.text.slice(blockLines(editable, before).to, blockLines(editable, entry).from)
      : '#';
    if (between.trim() === '') runs.at(-1)!.push(entry);
    else runs.push([entry]);
  }
  return runs;
}

function removeAdjacent(editable: EditableText, run: readonly Entry[]): TextChange {
  const { text } = editable;
  const followsKeep = followsKeepChomping(run[0]!);
  let { from } = blockLines(editable, run[0]!);
  let to = nextLine(text, blockLines(editable, run.at(-1)!).to);
  const isSpacedAbove = isBlankAbove(text, from);
  const behind = skipBlankLines(text, to);
  if (behind > to && (isSpacedAbove || followsKeep || from === 0)) to = behind;
  const isEnd = to >= text.length;
  if (isEnd && isSpacedAbove && !followsKeep)
    while (isBlankAbove(text, from)) from = findPreviousLineStart(text, from);
  // A text without a trailing line break stays without one.
  if (isEnd && text.at(-1) !== '\n' && from > 0) from = lineEnd(text, findPreviousLineStart(text, from));
  return { from, to, insert: '' };
}

function findPreviousLineStart(text: string, start: number): number {
  // With a negative position, `lastIndexOf` would still search at offset 0.
  return start < 2 ? 0 : text.lastIndexOf('\n', start - 2) + 1;
}

function removeAll(editable: EditableText, collection: Collection, holder: Entry | undefined): TextChange[] {
  const { text } = editable;
  const entries = getEntries(collection);
  const empty = entries[0]!.key === undefined ? '[]' : '{}';
  const { from, isInline } = blockLines(editable, entries[0]!);
  const last = blockLines(editable, entries.at(-1)!);
  if (isInline || holder === undefined) return [{ from, to: last.to, insert: empty }];
  const changes = entries.map((entry) => {
    const lines = blockLines(editable, entry);
    return { from: lineEnd(text, findPreviousLineStart(text, lines.from)), to: lines.to, insert: '' };
  });
  return [{ from: holder.open, to: holder.open, insert: ` ${empty}` }, ...changes];
}
