import { isEqual } from '../../../../core/base/is-equal.ts';

/** How items of a list change by standing elsewhere in the text, and nothing else. */
export interface Moving<Item, Shift> {
  /** How far the second has moved from the first, if they are the same item. */
  readonly shiftOf: (before: Item, now: Item) => Shift;
  /** The item that far from where it was; the item itself when it has not moved. */
  readonly move: (item: Item, shift: Shift) => Item;
}

/** A list as what differs from the one before: an edit leaves most of it at its beginning and its end. */
export interface ListPatch<Item, Shift> {
  /** How many items at the beginning are those of before. */
  readonly head: number;
  readonly middle: readonly Item[];
  /** How many at the end are, each moved. */
  readonly tail: number;
  readonly shift: Shift | undefined;
}

export function diffList<Item, Shift>(
  before: readonly Item[],
  now: readonly Item[],
  { shiftOf, move }: Moving<Item, Shift>,
): ListPatch<Item, Shift> {
  const shorter = Math.min(before.length, now.length);
  let head = 0;
  while (head < shorter && isEqual(before[head], now[head])) head += 1;
  if (head === shorter) return { head, middle: now.slice(head), tail: 0, shift: undefined };
  const shift = shiftOf(before.at(-1)!, now.at(-1)!);
  let tail = 0;
  while (tail < shorter - head && isEqual(move(before.at(-1 - tail)!, shift), now.at(-1 - tail))) tail += 1;
  return { head, middle: now.slice(head, now.length - tail), tail, shift };
}

/** A list of so many items, of which one has changed and moved those behind it. */
export const replaceItem = <Item, Shift>(
  length: number,
  place: number,
  item: Item,
  shift: Shift,
): ListPatch<Item, Shift> => ({ head: place, middle: [item], tail: length - place - 1, shift });

export const keepAll = (length: number): ListPatch<never, never> => ({
  ...{ head: length, middle: [], tail: 0, shift: undefined },
});

export const moveAll = <Shift>(length: number, shift: Shift): ListPatch<never, Shift> => ({
  ...{ head: 0, middle: [], tail: length, shift },
});

/** What has not moved are the objects of the list before. */
export function patchList<Item, Shift>(
  before: readonly Item[],
  { head, middle, tail, shift }: ListPatch<Item, Shift>,
  { move }: Moving<Item, Shift>,
): Item[] {
  const end = before.slice(before.length - tail);
  return [
    ...before.slice(0, head),
    ...middle,
    ...(shift === undefined ? end : end.map((item) => move(item, shift))),
  ];
}
