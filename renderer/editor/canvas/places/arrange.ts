import type { Point } from '../../../graph/layout/compute-layout.ts';
import type { Positions } from './place-steps.ts';

/** Ways to align several cards. */
export type CardAlignment = 'left' | 'top' | 'columns' | 'rows';

/**
 * Returns new positions of cards: aligned with the first card, or with equal distances between the outermost
 * ones.
 */
export function alignCards(positions: Positions, ids: readonly string[], how: CardAlignment): Positions {
  const chosen = ids.map((id) => ({ id, place: positions.get(id) })).filter(isPlaced);
  const axis = how === 'left' || how === 'columns' ? 'x' : 'y';
  const sorted = chosen.toSorted((a, b) => a.place[axis] - b.place[axis]);
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (!first || !last) return new Map();
  const step = (last.place[axis] - first.place[axis]) / Math.max(1, sorted.length - 1);
  const isAligned = how === 'left' || how === 'top';
  return new Map(
    sorted.map(({ id, place }, index) => [
      id,
      { ...place, [axis]: Math.round(first.place[axis] + (isAligned ? 0 : index * step)) },
    ]),
  );
}

const isPlaced = (one: {
  readonly id: string;
  readonly place: Point | undefined;
}): one is { readonly id: string; readonly place: Point } => one.place !== undefined;
