import { cardSize, type Direction } from '../../../graph/layout/layout-input.ts';
import type { Point } from '../../../graph/layout/compute-layout.ts';
import type { CanvasGraph, CanvasNode } from '../model/canvas-graph.ts';
import { boxAt, type Box, type Rooms } from './rooms.ts';

/** Where cards stand, by id; their top left corners, pixels at 100 %. */
export type Places = ReadonlyMap<string, Point>;

/** Room between two cards. */
const gap = { along: 48, across: 16 } as const;

/** Distance of the places that a free one is looked for at. */
const pitch = (direction: Direction) =>
  direction === 'RIGHT'
    ? { ahead: { x: cardSize.width + gap.along, y: 0 }, aside: { x: 0, y: cardSize.height + gap.across } }
    : { ahead: { x: 0, y: cardSize.height + gap.along }, aside: { x: cardSize.width + gap.across, y: 0 } };

const add = (left: Point, right: Point, times = 1): Point => ({
  x: left.x + right.x * times,
  y: left.y + right.y * times,
});

/**
 * Places for the steps that have none: behind what they wait for, else before what waits for them, else below all;
 * beside that as far as needed. Nothing that has a place is moved.
 */
export function placeMissing(
  graph: CanvasGraph,
  places: Places,
  direction: Direction,
  rooms: Rooms = new Map(),
): Places {
  const missing = graph.steps.filter(({ id }) => !places.has(id));
  if (missing.length === 0) return places;
  const all = new Map(places);
  const taken = boxesOfSteps(graph, places, rooms);
  for (const node of missing) {
    const around = { places: all, rooms, direction, taken };
    const place = findFree(chooseStart(graph, node, around), taken, direction);
    all.set(node.id, place);
    taken.push({ ...place, ...cardSize });
  }
  return all;
}

/** What the steps cover that have a place. */
export const boxesOfSteps = ({ steps }: CanvasGraph, places: Places, rooms: Rooms): Box[] =>
  steps.flatMap(({ id }) => {
    const place = places.get(id);
    return place ? [boxAt(id, place, rooms)] : [];
  });

interface Surroundings {
  readonly places: Places;
  readonly rooms: Rooms;
  readonly direction: Direction;
  readonly taken: readonly Box[];
}

function chooseStart(graph: CanvasGraph, { id }: CanvasNode, around: Surroundings): Point {
  const { places, rooms, direction, taken } = around;
  const { ahead } = pitch(direction);
  // Where a card would stand whose end is that of the larger one.
  const endOf = (one: string): Point | undefined => {
    const place = places.get(one);
    if (!place) return undefined;
    const { width, height } = boxAt(one, place, rooms);
    return direction === 'RIGHT'
      ? { x: place.x + width - cardSize.width, y: place.y }
      : { x: place.x, y: place.y + height - cardSize.height };
  };
  const before = graph.edges.filter(({ target }) => target === id).map(({ source }) => endOf(source));
  const furthest = pickFurthest(before, direction, 1);
  if (furthest) return add(furthest, ahead);
  const after = graph.edges.filter(({ source }) => source === id).map(({ target }) => places.get(target));
  const nearest = pickFurthest(after, direction, -1);
  if (nearest) return add(nearest, ahead, -1);
  if (taken.length === 0) return { x: 0, y: 0 };
  return {
    x: Math.min(...taken.map(({ x }) => x)),
    y: Math.max(...taken.map(({ y, height }) => y + height)) + gap.across,
  };
}

function pickFurthest(
  places: readonly (Point | undefined)[],
  direction: Direction,
  sign: 1 | -1,
): Point | undefined {
  const along = ({ x, y }: Point): number => sign * (direction === 'RIGHT' ? x : y);
  return places.filter((place) => place !== undefined).toSorted((a, b) => along(b) - along(a))[0];
}

/** The nearest place to the side of a wanted one that no card touches. */
export function findFree(wanted: Point, taken: readonly Box[], direction: Direction): Point {
  const side = direction === 'RIGHT' ? 'y' : 'x';
  const step = pitch(direction).aside[side];
  let place = wanted;
  // Each time it goes past at least one of them, and never back.
  for (let tries = 0; tries <= taken.length; tries += 1) {
    const inTheWay = taken.find((other) => touches(place, other));
    if (!inTheWay) return place;
    const past = inTheWay[side] + (side === 'y' ? inTheWay.height : inTheWay.width) + gap.across;
    const steps = Math.max(1, Math.ceil((past - wanted[side] - 1) / step));
    place = add(wanted, pitch(direction).aside, steps);
  }
  return place;
}

const touches = (card: Point, other: Box): boolean =>
  card.x < other.x + other.width + gap.across / 2 &&
  other.x < card.x + cardSize.width + gap.across / 2 &&
  card.y < other.y + other.height + gap.across / 2 &&
  other.y < card.y + cardSize.height + gap.across / 2;

/**
 * Places after a change of the text: a step that has got another name keeps the place that the step at its position
 * had. Places of steps that are gone are kept, since undo may bring them back.
 */
export function carryPlaces(before: CanvasGraph, after: CanvasGraph, places: Places): Places {
  if (before.steps.length !== after.steps.length) return places;
  let all: Map<string, Point> | undefined;
  after.steps.forEach(({ id }, index) => {
    const old = before.steps[index]!.id;
    const place = places.get(old);
    if (places.has(id) || !place || after.byId.has(old)) return;
    all ??= new Map(places);
    all.set(id, place);
  });
  return all ?? places;
}
