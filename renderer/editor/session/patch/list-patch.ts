import { isEqual } from '../../../../core/base/is-equal.ts';

/** Describes list items whose only change is their position in the text. */
export interface ItemShift<Item, Shift> {
  /** Returns how far the second has moved from the first, if they are the same item. */
  readonly shiftOf: (before: Item, now: Item) => Shift;
  /** Returns the shifted item, or the item itself for no shift. */
  readonly move: (item: Item, shift: Shift) => Item;
}

/** A list as a difference from the previous one; an edit leaves most of its beginning and end unchanged. */
export interface ListPatch<Item, Shift> {
  /** Number of unchanged items at the beginning. */
  readonly head: number;
  readonly middle: readonly Item[];
  /** Number of items at the end that only moved. */
  readonly tail: number;
  readonly shift: Shift | undefined;
}

export function diffList<Item, Shift>(
  before: readonly Item[],
  now: readonly Item[],
  { shiftOf, move }: ItemShift<Item, Shift>,
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

/** Builds the patch of a list in which one item has changed and the items after it have moved. */
export const replaceItem = <Item, Shift>(
  length: number,
  position: number,
  item: Item,
  shift: Shift,
): ListPatch<Item, Shift> => ({ head: position, middle: [item], tail: length - position - 1, shift });

export const unchangedPatch = (length: number): ListPatch<never, never> => ({
  ...{ head: length, middle: [], tail: 0, shift: undefined },
});

export const shiftAll = <Shift>(length: number, shift: Shift): ListPatch<never, Shift> => ({
  ...{ head: 0, middle: [], tail: length, shift },
});

/** Applies a patch; items that did not move keep their object identity. */
export function patchList<Item, Shift>(
  before: readonly Item[],
  { head, middle, tail, shift }: ListPatch<Item, Shift>,
  { move }: ItemShift<Item, Shift>,
): Item[] {
  const end = before.slice(before.length - tail);
  return [
    ...before.slice(0, head),
    ...middle,
    ...(shift === undefined ? end : end.map((item) => move(item, shift))),
  ];
}
