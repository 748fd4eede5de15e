import type { Edge, Node } from 'reactflow';
import type { Direction } from '../../../graph/layout/layout-input.ts';

/** SVG path of boxes where nodes stand. */
export const drawBoxes = (nodes: readonly Node[]): string =>
  nodes
    .map(({ position, width = 0, height = 0 }) => {
      const [x, y] = [Math.round(position.x), Math.round(position.y)];
      return `M${x} ${y}h${width}v${height}h${-width}z`;
    })
    .join('');

/** SVG path of the lines between nodes, with one bend each; a line to a node that is not drawn is left out. */
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
  const begin = middleOf(from);
  const end = middleOf(to);
  if (direction === 'RIGHT') {
    const [left, right] = [Math.round(from.position.x + (from.width ?? 0)), Math.round(to.position.x)];
    return `M${left} ${begin.y}H${Math.round((left + right) / 2)}V${end.y}H${right}`;
  }
  const [top, bottom] = [Math.round(from.position.y + (from.height ?? 0)), Math.round(to.position.y)];
  return `M${begin.x} ${top}V${Math.round((top + bottom) / 2)}H${end.x}V${bottom}`;
}

const middleOf = ({ position, width = 0, height = 0 }: Node) => ({
  x: Math.round(position.x + width / 2),
  y: Math.round(position.y + height / 2),
});

/** The topmost node at a place of the canvas. */
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

/** The steps and handlers that a box touches. */
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
