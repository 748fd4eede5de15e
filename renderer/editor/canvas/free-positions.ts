import { handlerNames, type HandlerName } from '../../../core/model/workflow-rules.ts';
import { cardSize, type Direction, type Point } from '../../graph/compute-layout.ts';
import type { CanvasGraph, CanvasNode } from './canvas-graph.ts';
import { getNodeBox, type Box, type ExpandedBounds } from './expanded-bounds.ts';

/** Card positions by id: top left corner, in pixels at 100% zoom. */
export type Positions = ReadonlyMap<string, Point>;

/** Gap between two cards. */
const gap = { along: 48, across: 16 } as const;

/** Spacing of the candidate positions when searching for a free one. */
const pitch = (direction: Direction) =>
  direction === 'RIGHT'
    ? { ahead: { x: cardSize.width + gap.along, y: 0 }, aside: { x: 0, y: cardSize.height + gap.across } }
    : { ahead: { x: 0, y: cardSize.height + gap.along }, aside: { x: cardSize.width + gap.across, y: 0 } };

const add = (left: Point, right: Point, times = 1): Point => ({
  x: left.x + right.x * times,
  y: left.y + right.y * times,
});

/**
 * Places steps that have no position: after their dependencies, otherwise before their dependents, otherwise
 * below everything; shifted sideways as far as needed. Cards with a position do not move.
 */
export function layOutNewSteps(
  graph: CanvasGraph,
  positions: Positions,
  direction: Direction,
  rooms: ExpandedBounds = new Map(),
): Positions {
  const missing = graph.steps.filter(({ id }) => !positions.has(id));
  if (missing.length === 0) return positions;
  const all = new Map(positions);
  const taken = getStepBoxes(graph, positions, rooms);
  for (const node of missing) {
    const around = { positions: all, rooms, direction, taken };
    const position = findFreePosition(chooseStart(graph, node, around), taken, direction);
    all.set(node.id, position);
    taken.push({ ...position, ...cardSize });
  }
  return all;
}

/** Returns the areas covered by steps that have a position. */
export const getStepBoxes = ({ steps }: CanvasGraph, positions: Positions, rooms: ExpandedBounds): Box[] =>
  steps.flatMap(({ id }) => {
    const position = positions.get(id);
    return position ? [getNodeBox(id, position, rooms)] : [];
  });

interface LayoutContext {
  readonly positions: Positions;
  readonly rooms: ExpandedBounds;
  readonly direction: Direction;
  readonly taken: readonly Box[];
}

function chooseStart(graph: CanvasGraph, { id }: CanvasNode, context: LayoutContext): Point {
  const { positions, rooms, direction, taken } = context;
  const { ahead } = pitch(direction);
  // Where a card would be whose end matches that of the expanded card.
  const getEnd = (one: string): Point | undefined => {
    const position = positions.get(one);
    if (!position) return undefined;
    const { width, height } = getNodeBox(one, position, rooms);
    return direction === 'RIGHT'
      ? { x: position.x + width - cardSize.width, y: position.y }
      : { x: position.x, y: position.y + height - cardSize.height };
  };
  const before = graph.edges.filter(({ target }) => target === id).map(({ source }) => getEnd(source));
  const furthest = furthestPosition(before, direction, 1);
  if (furthest) return add(furthest, ahead);
  const after = graph.edges.filter(({ source }) => source === id).map(({ target }) => positions.get(target));
  const nearest = furthestPosition(after, direction, -1);
  if (nearest) return add(nearest, ahead, -1);
  if (taken.length === 0) return { x: 0, y: 0 };
  return {
    x: Math.min(...taken.map(({ x }) => x)),
    y: Math.max(...taken.map(({ y, height }) => y + height)) + gap.across,
  };
}

function furthestPosition(
  positions: readonly (Point | undefined)[],
  direction: Direction,
  sign: 1 | -1,
): Point | undefined {
  const along = ({ x, y }: Point): number => sign * (direction === 'RIGHT' ? x : y);
  return positions.filter((position) => position !== undefined).toSorted((a, b) => along(b) - along(a))[0];
}

/** Returns the nearest position sideways of the requested one that overlaps no card. */
export function findFreePosition(desired: Point, taken: readonly Box[], direction: Direction): Point {
  const side = direction === 'RIGHT' ? 'y' : 'x';
  const step = pitch(direction).aside[side];
  let position = desired;
  // Each iteration moves past at least one of them and never back, so the loop ends.
  for (let tries = 0; tries <= taken.length; tries += 1) {
    const inTheWay = taken.find((other) => touches(position, other));
    if (!inTheWay) return position;
    const past = inTheWay[side] + (side === 'y' ? inTheWay.height : inTheWay.width) + gap.across;
    const steps = Math.max(1, Math.ceil((past - desired[side] - 1) / step));
    position = add(desired, pitch(direction).aside, steps);
  }
  return position;
}

const touches = (card: Point, other: Box): boolean =>
  card.x < other.x + other.width + gap.across / 2 &&
  other.x < card.x + cardSize.width + gap.across / 2 &&
  card.y < other.y + other.height + gap.across / 2 &&
  other.y < card.y + cardSize.height + gap.across / 2;

/**
 * Carries positions over a change of the text: a renamed step keeps the position of the step at its index.
 * Positions of removed steps are retained, because undo may restore the steps.
 */
export function transferPositions(before: CanvasGraph, after: CanvasGraph, positions: Positions): Positions {
  if (before.steps.length !== after.steps.length) return positions;
  let all: Map<string, Point> | undefined;
  after.steps.forEach(({ id }, index) => {
    const old = before.steps[index]!.id;
    const position = positions.get(old);
    if (positions.has(id) || !position || after.byId.has(old)) return;
    all ??= new Map(positions);
    all.set(id, position);
  });
  return all ?? positions;
}

/** The lane of the handlers, with room for buttons that add missing ones. */
export interface HandlerLane extends Point {
  readonly width: number;
  readonly height: number;
  readonly positions: Positions;
  readonly missing: readonly HandlerName[];
}

const noExpandedBounds: ExpandedBounds = new Map();
const laneGap = 56;
const padding = 14;
const head = 40;
const cardGap = 16;
/** Room for the title and five buttons, in pixels. */
const minWidth = 470;

/** Places the handlers in a row below all steps. */
export function layOutHandlerLane(
  graph: CanvasGraph,
  positions: Positions,
  rooms: ExpandedBounds = noExpandedBounds,
): HandlerLane {
  const boxes = getStepBoxes(graph, positions, rooms);
  const x = boxes.reduce((min, box) => Math.min(min, box.x), boxes[0]?.x ?? 0);
  const first = boxes[0] ? boxes[0].y + boxes[0].height : cardSize.height;
  const y = boxes.reduce((max, box) => Math.max(max, box.y + box.height), first) + laneGap;
  const count = graph.handlers.length;
  return {
    x,
    y,
    width: Math.max(minWidth, count * (cardSize.width + cardGap) - cardGap + 2 * padding),
    height: count === 0 ? head + 4 : head + cardSize.height + padding,
    positions: new Map(
      graph.handlers.map(({ id }, index) => [
        id,
        { x: x + padding + index * (cardSize.width + cardGap), y: y + head },
      ]),
    ),
    missing: handlerNames.filter((name) => !graph.byId.has(`handler:${name}`)),
  };
}
