import type { Edge, Node } from 'reactflow';
import type { Point } from '../../../graph/layout/compute-layout.ts';
import type { Direction } from '../../../graph/layout/layout-input.ts';

/** Returns an SVG path of the boxes of the nodes. */
export const drawBoxes = (nodes: readonly Node[]): string =>
  nodes
    .map(({ position, width = 0, height = 0 }) => {
      const [x, y] = [Math.round(position.x), Math.round(position.y)];
      return `M${x} ${y}h${width}v${height}h${-width}z`;
    })
    .join('');

/**
 * Returns an SVG path of the lines between nodes, with one bend each. Lines to nodes that are not drawn are
 * omitted.
 */
export function drawLines(nodes: readonly Node[], lines: readonly Edge[], direction: Direction): string {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return lines
    .map(({ source, target }) => {
      const [from, to] = [byId.get(source), byId.get(target)];
      return from && to ? drawLine(from, to, direction) : '';
    })
    .join('');
}

function drawLine(from: Node, to: Node, direction: Direction): string {
  const [start, , bend, end] = bendLine(from, to, direction);
  return direction === 'RIGHT'
    ? `M${start.x} ${start.y}H${bend.x}V${bend.y}H${end.x}`
    : `M${start.x} ${start.y}V${bend.y}H${bend.x}V${end.y}`;
}

/** Returns the corner points of a line. */
function bendLine(from: Node, to: Node, direction: Direction): readonly [Point, Point, Point, Point] {
  const begin = middleOf(from);
  const end = middleOf(to);
  if (direction === 'RIGHT') {
    const [left, right] = [Math.round(from.position.x + (from.width ?? 0)), Math.round(to.position.x)];
    const middle = Math.round((left + right) / 2);
    return [
      { x: left, y: begin.y },
      { x: middle, y: begin.y },
      { x: middle, y: end.y },
      { x: right, y: end.y },
    ];
  }
  const [top, bottom] = [Math.round(from.position.y + (from.height ?? 0)), Math.round(to.position.y)];
  const middle = Math.round((top + bottom) / 2);
  return [
    { x: begin.x, y: top },
    { x: begin.x, y: middle },
    { x: end.x, y: middle },
    { x: end.x, y: bottom },
  ];
}

interface OverviewScene {
  readonly cards: readonly Node[];
  readonly lines: readonly Edge[];
  readonly direction: Direction;
}

/** Returns the line nearest to a point of the canvas, if it is within reach. */
export function findLineAt(
  { cards, lines, direction }: OverviewScene,
  at: Point,
  reach: number,
): Edge | undefined {
  const byId = new Map(cards.map((node) => [node.id, node]));
  let best: Edge | undefined;
  let min = reach;
  for (const line of lines) {
    const [from, to] = [byId.get(line.source), byId.get(line.target)];
    if (!from || !to) continue;
    const corners = bendLine(from, to, direction);
    for (let leg = 1; leg < corners.length; leg += 1) {
      const away = distanceToLeg(at, corners[leg - 1]!, corners[leg]!);
      if (away <= min) [best, min] = [line, away];
    }
  }
  return best;
}

/** Segments are horizontal or vertical. */
function distanceToLeg({ x, y }: Point, from: Point, to: Point): number {
  const across = Math.max(Math.min(from.x, to.x) - x, 0, x - Math.max(from.x, to.x));
  const down = Math.max(Math.min(from.y, to.y) - y, 0, y - Math.max(from.y, to.y));
  return Math.hypot(across, down);
}

const middleOf = ({ position, width = 0, height = 0 }: Node) => ({
  x: Math.round(position.x + width / 2),
  y: Math.round(position.y + height / 2),
});

/** Returns the topmost node at a point of the canvas. */
export const findNodeAt = (
  nodes: readonly Node[],
  { x, y }: { readonly x: number; readonly y: number },
): Node | undefined =>
  nodes.findLast(
    ({ type, position, width = 0, height = 0 }) =>
      type === 'step' &&
      x >= position.x &&
      y >= position.y &&
      x <= position.x + width &&
      y <= position.y + height,
  );

/** Returns the steps and handlers that intersect a box. */
export const findNodesIn = (
  nodes: readonly Node[],
  box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
): readonly Node[] =>
  nodes.filter(
    ({ type, position, width = 0, height = 0 }) =>
      type === 'step' &&
      position.x < box.x + box.width &&
      position.y < box.y + box.height &&
      position.x + width > box.x &&
      position.y + height > box.y,
  );
