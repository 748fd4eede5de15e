import type { TextChange } from '../text-change.ts';
import { blockLines, type BlockLines } from './block-lines.ts';
import type { EditableText } from './editable-text.ts';
import { endsInKeptText, type Entry } from './entries.ts';
import { columnOf, lineBreakOf } from './lines.ts';

/**
 * Moves an item in block style: its lines and those of the items that it passes change places. What stands between two
 * items, blank lines and comments that belong to none, stays where it is.
 */
export function moveLines(
  editable: EditableText,
  items: readonly Entry[],
  from: number,
  to: number,
): TextChange[] {
  const { text } = editable;
  const [first, last] = [Math.min(from, to), Math.max(from, to)];
  const places = items.slice(first, last + 1).map((item) => ({ item, ...blockLines(editable, item) }));
  const simple = moveAlone(text, places, from < to);
  if (simple !== undefined) return simple;
  const moved = places.toSpliced(from - first, 1).toSpliced(to - first, 0, places[from - first]!);
  const column = columnOf(text, items[0]!.from);
  const pad = ' '.repeat(column);
  // From behind the lead of the first item, which may stand behind a `- ` of its own.
  const texts = moved.map((place) => textOf(text, place, pad));
  const keepsBlanks = places.some(({ item }) => endsInKeptText(item.value));
  let insert = '';
  for (const [position, own] of texts.entries()) {
    const lead = position === 0 && places[0]!.isInline ? own.slice(column) : own;
    insert += lead;
    if (position === texts.length - 1) break;
    const between = text.slice(places[position]!.to, places[position + 1]!.from);
    // Blank lines behind `|+` would become part of it.
    insert += keepsBlanks ? between.replace(/^(\r?\n)(?:[ \t]*\r?\n)+/, '$1') : between;
  }
  const end = places.at(-1)!;
  const behind = keepsBlanks ? /^(\r?\n)(?:[ \t]*\r?\n)*/.exec(text.slice(end.to))?.[0] : undefined;
  if (behind === undefined) return [{ from: places[0]!.from, to: end.to, insert }];
  return [{ from: places[0]!.from, to: end.to + behind.length, insert: insert + lineBreakOf(text) }];
}

/** The lines of an item with the indentation of its list, also where it stood behind a `- `. */
function textOf(text: string, { from, to, isInline }: BlockLines, pad: string): string {
  return isInline ? pad + text.slice(from, to) : text.slice(from, to);
}

/** Where the items stand at equal distances, the one that moves is cut out and put in. */
function moveAlone(
  text: string,
  places: readonly (BlockLines & { readonly item: Entry })[],
  isDown: boolean,
): TextChange[] | undefined {
  const gaps = places.slice(1).map((place, index) => text.slice(places[index]!.to, place.from));
  const gap = gaps[0]!;
  const isEven = gap.trim() === '' && gaps.every((each) => each === gap);
  if (!isEven || places.some(({ item, isInline }) => isInline || endsInKeptText(item.value)))
    return undefined;
  const [first, last] = [places[0]!, places.at(-1)!];
  if (isDown) {
    const insert = gap + text.slice(first.from, first.to);
    return [
      { from: first.from, to: places[1]!.from, insert: '' },
      { from: last.to, to: last.to, insert },
    ];
  }
  const insert = text.slice(last.from, last.to) + gap;
  return [
    { from: first.from, to: first.from, insert },
    { from: places.at(-2)!.to, to: last.to, insert: '' },
  ];
}
