import { type Point, cardSize, type Direction } from '../../graph/compute-layout.ts';
import type { Positions } from './free-positions.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The area of a sub-workflow drawn in place of its card. */
export interface ExpandedBox extends Size {
  /** How far the cards to the right were moved to make room. */
  readonly right: number;
  /** How far the cards below were moved. */
  readonly down: number;
}

/** Rooms by node id, for nodes larger than a card. */
export type ExpandedBounds = ReadonlyMap<string, ExpandedBox>;

export interface Box extends Point, Size {}

/** Returns the area that a node covers. */
export const getNodeBox = (id: string, { x, y }: Point, rooms: ExpandedBounds): Box => {
  const { width, height } = rooms.get(id) ?? cardSize;
  return { x, y, width, height };
};

/** Free space around a room, as between cards. */
const gap = { along: 48, across: 16 } as const;
/** Cards that overlap by less than this count as not overlapping. */
const tolerance = 1;

interface ExpansionRequest {
  readonly id: string;
  readonly size: Size;
  readonly direction: Direction;
}

/**
 * Makes room for a node that grows; its upper left corner stays. Cards in the way move along the graph, and
 * across it where that is not enough. Everything beyond moves by the same distance, so the order is preserved.
 * If nothing is in the way, nothing moves.
 */
export function reserveSpace(
  positions: Positions,
  rooms: ExpandedBounds,
  options: ExpansionRequest,
): { positions: Positions; room: ExpandedBox } {
  const { id, size, direction } = options;
  const origin = positions.get(id);
  if (!origin) return { positions: positions, room: { ...size, right: 0, down: 0 } };
  const others = [...positions]
    .filter(([other]) => other !== id)
    .map(([other, position]) => getNodeBox(other, position, rooms));
  const frame = { ...origin, ...size };
  const isRight = direction === 'RIGHT';
  const behind = { x: origin.x + cardSize.width, y: origin.y + cardSize.height };
  const measure = (axis: 'x' | 'y', moved: { readonly x: number; readonly y: number }): number => {
    const isAlong = (axis === 'x') === isRight;
    const free = isAlong ? gap.along : gap.across;
    const end = axis === 'x' ? frame.x + frame.width : frame.y + frame.height;
    let max = 0;
    for (const box of others) {
      if (box[axis] < behind[axis] - tolerance) continue;
      const shown = {
        ...box,
        x: box.x + (box.x >= behind.x - tolerance ? moved.x : 0),
        y: box.y + (box.y >= behind.y - tolerance ? moved.y : 0),
      };
      if (overlapsOn(axis === 'x' ? 'y' : 'x', shown, frame)) max = Math.max(max, end + free - shown[axis]);
    }
    return max;
  };
  const first = measure(isRight ? 'x' : 'y', { x: 0, y: 0 });
  const moved = isRight ? { x: first, y: 0 } : { x: 0, y: first };
  const second = measure(isRight ? 'y' : 'x', moved);
  const [right, down] = isRight ? [first, second] : [second, first];
  return { positions: shift(positions, id, behind, { x: right, y: down }), room: { ...size, right, down } };
}

/** Reverts the moves of {@link reserveSpace}, except where cards would overlap now. */
export function releaseSpace(
  positions: Positions,
  rooms: ExpandedBounds,
  id: string,
): { positions: Positions; rooms: ExpandedBounds } {
  const room = rooms.get(id);
  const origin = positions.get(id);
  const otherRooms = new Map(rooms);
  otherRooms.delete(id);
  if (!room || !origin) return { positions: positions, rooms: otherRooms };
  let now = positions;
  for (const by of [
    { x: room.right, y: 0 },
    { x: 0, y: room.down },
  ]) {
    if (by.x === 0 && by.y === 0) continue;
    const from = {
      x: by.x > 0 ? origin.x + cardSize.width + by.x : -Infinity,
      y: by.y > 0 ? origin.y + cardSize.height + by.y : -Infinity,
    };
    const next = shift(now, id, from, { x: -by.x, y: -by.y });
    if (!collides(now, next, otherRooms)) now = next;
  }
  return { positions: now, rooms: otherRooms };
}

/** Moves everything beyond a point, on each axis independently. */
function shift(positions: Positions, except: string, from: Point, by: Point): Positions {
  if (by.x === 0 && by.y === 0) return positions;
  return new Map(
    Array.from(positions, ([id, { x, y }]) => [
      id,
      id === except
        ? { x, y }
        : {
            x: x >= from.x - tolerance ? x + by.x : x,
            y: y >= from.y - tolerance ? y + by.y : y,
          },
    ]),
  );
}

const sideByAxis = { x: 'width', y: 'height' } as const;

const overlapsOn = (axis: 'x' | 'y', left: Box, right: Box): boolean =>
  left[axis] < right[axis] + right[sideByAxis[axis]] + gap.across - tolerance &&
  right[axis] < left[axis] + left[sideByAxis[axis]] + gap.across - tolerance;

/** Whether moved nodes overlap nodes that they did not overlap before. */
function collides(before: Positions, after: Positions, rooms: ExpandedBounds): boolean {
  const all = Array.from(after, ([id, position]) => ({
    id,
    box: getNodeBox(id, position, rooms),
    isMoved: false,
  }));
  for (const one of all) {
    const old = before.get(one.id);
    one.isMoved = old?.x !== one.box.x || old.y !== one.box.y;
  }
  const still = all.filter(({ isMoved }) => !isMoved);
  return all.some(
    ({ isMoved, box, id }) =>
      isMoved &&
      still.some(
        (other) => touches(box, other.box) && !touches(getNodeBox(id, before.get(id)!, rooms), other.box),
      ),
  );
}

const touches = (left: Box, right: Box): boolean =>
  left.x < right.x + right.width - tolerance &&
  right.x < left.x + left.width - tolerance &&
  left.y < right.y + right.height - tolerance &&
  right.y < left.y + left.height - tolerance;
