import { getViewportForBounds, type Rect, type Viewport } from 'reactflow';
import { type Point, type GraphLayout, type Direction, cardSize } from './compute-layout.ts';
import type { GraphModel } from './build-graph.ts';

const cornerRadius = 10;

/**
 * Returns an SVG path through the corners of an orthogonal route, with rounded corners as far as the segments
 * allow.
 */
export function roundedPath(route: readonly Point[]): string {
  const [start, ...rest] = route;
  if (!start) return '';
  const commands = [`M${start.x} ${start.y}`];
  rest.forEach((corner, index) => {
    const next = rest[index + 1];
    const before = index === 0 ? start : rest[index - 1]!;
    if (!next) {
      commands.push(`L${corner.x} ${corner.y}`);
      return;
    }
    const radius = Math.min(cornerRadius, distance(before, corner) / 2, distance(corner, next) / 2);
    const enter = towards(corner, before, radius);
    const leave = towards(corner, next, radius);
    commands.push(`L${enter.x} ${enter.y}Q${corner.x} ${corner.y} ${leave.x} ${leave.y}`);
  });
  return commands.join('');
}

/** Distances of a detour from the cards, in pixels: half of the gaps between them. */
const detourGap = { along: 20, across: 8 } as const;

/**
 * Returns a route for a line that leads back, as in a cycle: through the gap next to its source, because the direct way
 * is hidden behind the cards. Undefined for a line that leads forward.
 */
export function routeBackwards(from: Point, to: Point, direction: Direction): readonly Point[] | undefined {
  const isRight = direction === 'RIGHT';
  if (isRight ? to.x > from.x : to.y > from.y) return undefined;
  const [x, y] = isRight ? (['x', 'y'] as const) : (['y', 'x'] as const);
  const half = (isRight ? cardSize.height : cardSize.width) / 2 + detourGap.across;
  const aside = from[y] + (to[y] < from[y] - half ? -half : half);
  const [out, into] = [from[x] + detourGap.along, to[x] - detourGap.along];
  const corner = (along: number, across: number): Point =>
    isRight ? { x: along, y: across } : { x: across, y: along };
  return [from, corner(out, from[y]), corner(out, aside), corner(into, aside), corner(into, to[y]), to];
}

const distance = (from: Point, to: Point): number => Math.hypot(to.x - from.x, to.y - from.y);

function towards(from: Point, to: Point, length: number): Point {
  const whole = distance(from, to);
  if (whole === 0) return from;
  return { x: from.x + ((to.x - from.x) * length) / whole, y: from.y + ((to.y - from.y) * length) / whole };
}

export const zoomRange = { min: 0.02, max: 1.75 } as const;
/** Leaves room for the toolbar in the corner. */
const room = { top: 24, left: 28, right: 28, bottom: 56 } as const;
const padding = {
  top: `${room.top}px`,
  left: `${room.left}px`,
  right: `${room.right}px`,
  bottom: `${room.bottom}px`,
} as const;
/** Never zooms in beyond 100%. */
const fitZoom = 1;

/**
 * Returns the viewport that fits the whole graph. It is computed from the layout, because a large graph is
 * only partly rendered.
 */
export function viewportForAll(layout: GraphLayout, frame: HTMLElement): Viewport {
  const { clientWidth, clientHeight } = frame;
  return getViewportForBounds(getBounds(layout), clientWidth, clientHeight, zoomRange.min, fitZoom, padding);
}

/** Returns the part of a frame available to the graph. */
export const availableSize = ({ clientWidth, clientHeight }: HTMLElement) => ({
  width: Math.max(1, clientWidth - room.left - room.right),
  height: Math.max(1, clientHeight - room.top - room.bottom),
});

/** Whether a viewport contains an area completely, with room to spare for rounding. */
export function showsAll(
  { x, y, zoom }: Viewport,
  size: { readonly width: number; readonly height: number },
  area: Rect,
): boolean {
  const [left, top] = [area.x * zoom + x, area.y * zoom + y];
  return (
    left >= -1 &&
    top >= -1 &&
    left + area.width * zoom <= size.width + 1 &&
    top + area.height * zoom <= size.height + 1
  );
}

export function getBounds({ positions, lane }: GraphLayout) {
  const cards = Array.from(positions.values(), ({ x, y }) => ({ x, y, ...cardSize }));
  const boxes = lane ? [...cards, lane] : cards;
  const left = Math.min(...boxes.map(({ x }) => x));
  const top = Math.min(...boxes.map(({ y }) => y));
  const right = Math.max(...boxes.map(({ x, width }) => x + width));
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height));
  return { x: left, y: top, width: right - left, height: bottom - top };
}

const directions: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/**
 * Returns the node that an arrow key moves to: the nearest one in that direction, where sideways distance
 * counts double, so that a row or column is followed first.
 * @param key name of the key; other keys return nothing
 */
export function findNearestNode(
  positions: ReadonlyMap<string, Point>,
  from: string,
  key: string,
): string | undefined {
  const direction = directions[key];
  const origin = positions.get(from);
  if (!direction || !origin) return undefined;
  let best: string | undefined;
  let bestCost = Infinity;
  for (const [id, position] of positions) {
    const ahead = (position.x - origin.x) * direction.x + (position.y - origin.y) * direction.y;
    if (id === from || ahead <= 0) continue;
    const aside =
      Math.abs((position.x - origin.x) * direction.y) + Math.abs((position.y - origin.y) * direction.x);
    const cost = ahead + 2 * aside;
    if (cost < bestCost) [best, bestCost] = [id, cost];
  }
  return best;
}

/** Id of the trigger card among the nodes of a graph. */
export const triggerId = 'trigger';

/** Size of the trigger card in pixels at 100%. */
export const triggerSize = { width: 232, height: 76 } as const;

const gap = 48;
/** With more first steps, lines to all of them would be a bundle. */
const maxTargets = 12;

interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

export interface TriggerPlace {
  readonly box: Box;
  /** Ids of the steps that a line leads to: those without dependencies in the first layer. */
  readonly targets: readonly string[];
}

/** Above the text of an empty canvas, whose center is the origin. */
const emptyPlace: TriggerPlace = {
  box: { x: -triggerSize.width / 2, y: -210, ...triggerSize },
  targets: [],
};

/** Places the trigger card before the first layer of the steps. */
export function placeTrigger(
  { steps, edges }: Pick<GraphModel, 'steps' | 'edges'>,
  positions: ReadonlyMap<string, Point>,
  direction: Direction,
): TriggerPlace {
  const isRight = direction === 'RIGHT';
  const [along, across] = isRight ? (['x', 'y'] as const) : (['y', 'x'] as const);
  const [length, breadth] = isRight ? (['width', 'height'] as const) : (['height', 'width'] as const);
  const placed = steps.flatMap(({ id }) => {
    const position = positions.get(id);
    return position ? [{ id, position }] : [];
  });
  if (placed.length === 0) return emptyPlace;
  const start = placed.reduce((least, { position }) => Math.min(least, position[along]), Infinity);
  const waiting = new Set(edges.map(({ target }) => target));
  const layer = placed.filter(({ position }) => position[along] < start + cardSize[length] / 2);
  const first = layer.filter(({ id }) => !waiting.has(id));
  const middles = (first.length > 0 ? first : layer).map(
    ({ position }) => position[across] + cardSize[breadth] / 2,
  );
  const middle = (Math.min(...middles) + Math.max(...middles)) / 2;
  const [from, aside] = [start - gap - triggerSize[length], middle - triggerSize[breadth] / 2];
  return {
    box: { ...(isRight ? { x: from, y: aside } : { x: aside, y: from }), ...triggerSize },
    targets: first.length > maxTargets ? [] : first.map(({ id }) => id),
  };
}
