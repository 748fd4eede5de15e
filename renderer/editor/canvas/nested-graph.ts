import { getSmoothStepPath } from 'reactflow';
import { type GraphModel, type GraphNode, handleSidesFor } from '../../graph/build-graph.ts';
import { cardSize, type Direction } from '../../graph/compute-layout.ts';
import { quickLayout } from '../../graph/quick-layout.ts';
import type { Positions } from './free-positions.ts';
import { getNodeBox, reserveSpace, type Box, type ExpandedBox, type Size } from './expanded-bounds.ts';
import type { Fold } from './resolve-folds.ts';

/** A card of a sub-workflow drawn in place. */
export interface NestedCard extends Box {
  readonly node: GraphNode;
  readonly fold: Fold | undefined;
}

/** A sub-workflow drawn inside the card of its step, in pixels from the upper left corner of that card. */
export interface NestedGraph extends Size {
  readonly cards: readonly NestedCard[];
  readonly lines: readonly { readonly id: string; readonly path: string }[];
}

/** Padding around the inner cards; the head is the card itself. */
const frame = { side: 16, head: cardSize.height + 22, bottom: 18 } as const;
const cardGap = 16;
const handlerGap = 24;
const cornerRadius = 10;

/**
 * Lays out a sub-workflow with the quick layout, including nested sub-workflows drawn in place. Handlers are in
 * a row below.
 */
export function layOutNestedGraph(
  graph: GraphModel,
  folds: ReadonlyMap<string, Fold>,
  direction: Direction,
): NestedGraph {
  let positions: Positions = quickLayout(graph, direction);
  const rooms = new Map<string, ExpandedBox>();
  for (const { id } of graph.steps) {
    const size = folds.get(id)?.inner;
    if (!size) continue;
    const made = reserveSpace(positions, rooms, { id, size, direction });
    positions = made.positions;
    rooms.set(id, made.room);
  }
  const at = (node: GraphNode): NestedCard => ({
    ...getNodeBox(node.id, positions.get(node.id)!, rooms),
    node,
    fold: folds.get(node.id),
  });
  const steps = moveInside(graph.steps.map(at));
  const lowest = Math.max(frame.head, ...steps.map(({ y, height }) => y + height));
  const cards = [
    ...steps,
    ...layOutHandlers(graph.handlers, steps.length > 0 ? lowest + handlerGap : frame.head),
  ];
  const byId = new Map(cards.map((card) => [card.node.id, card]));
  return {
    width: Math.max(cardSize.width, ...cards.map(({ x, width }) => x + width)) + frame.side,
    height: Math.max(frame.head, ...cards.map(({ y, height }) => y + height)) + frame.bottom,
    cards,
    lines: graph.edges.flatMap(({ id, source, target }) => {
      const [from, to] = [byId.get(source), byId.get(target)];
      return from && to ? [{ id, path: drawLine(from, to, direction) }] : [];
    }),
  };
}

function moveInside(cards: readonly NestedCard[]): readonly NestedCard[] {
  const left = Math.min(...cards.map(({ x }) => x));
  const top = Math.min(...cards.map(({ y }) => y));
  return cards.map((card) => ({ ...card, x: card.x - left + frame.side, y: card.y - top + frame.head }));
}

const layOutHandlers = (handlers: readonly GraphNode[], y: number): readonly NestedCard[] =>
  handlers.map((node, index) => ({
    ...cardSize,
    x: frame.side + index * (cardSize.width + cardGap),
    y,
    node,
    fold: undefined,
  }));

/** Draws a line between the heads of two cards. */
function drawLine(from: NestedCard, to: NestedCard, direction: Direction): string {
  const isRight = direction === 'RIGHT';
  const middle = isRight ? cardSize.height / 2 : cardSize.width / 2;
  const { source, target } = handleSidesFor(direction);
  const [path] = getSmoothStepPath({
    sourceX: isRight ? from.x + from.width : from.x + middle,
    sourceY: isRight ? from.y + middle : from.y + from.height,
    targetX: isRight ? to.x : to.x + middle,
    targetY: isRight ? to.y + middle : to.y,
    sourcePosition: source,
    targetPosition: target,
    borderRadius: cornerRadius,
  });
  return path;
}
