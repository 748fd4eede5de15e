import type { Edge, Node } from 'reactflow';
import type { GraphModel } from './build-graph.ts';
import type { GraphLayout } from './layout/compute-layout.ts';
import { cardSize, type Direction } from './layout/layout-input.ts';
import type { StepEdgeData } from './step-edge.tsx';
import type { StepNodeData } from './cards/step-node.tsx';
import { sidesFor } from './sides.ts';

type Behaviour = Pick<StepNodeData, 'onArrow' | 'onSelect'>;

/** React Flow's nodes for a graph that has been laid out. They stay the same while a run goes on. */
export function toFlowNodes(
  graph: GraphModel,
  layout: GraphLayout,
  direction: Direction,
  behaviour: Behaviour,
): Node[] {
  const all = [...graph.steps, ...graph.handlers];
  const cards = all.map((node) => ({
    id: node.id,
    type: 'step',
    position: layout.places.get(node.id) ?? { x: 0, y: 0 },
    ...cardSize,
    handles: handlesFor(direction),
    data: { node, total: all.length, sides: sidesFor(direction), ...behaviour } satisfies StepNodeData,
  }));
  if (!layout.lane) return cards;
  const { x, y, width, height } = layout.lane;
  return [{ id: 'lane', type: 'lane', position: { x, y }, width, height, data: {}, zIndex: -1 }, ...cards];
}

/** Where the handles are; known beforehand, so that a card outside the view need not be drawn to have lines. */
function handlesFor(direction: Direction): NonNullable<Node['handles']> {
  const { target, source } = sidesFor(direction);
  const { width, height } = cardSize;
  const isRight = direction === 'RIGHT';
  return [
    {
      type: 'target',
      position: target,
      x: isRight ? 0 : width / 2,
      y: isRight ? height / 2 : 0,
      width: 1,
      height: 1,
    },
    {
      type: 'source',
      position: source,
      x: isRight ? width : width / 2,
      y: isRight ? height / 2 : height,
      width: 1,
      height: 1,
    },
  ];
}

/** React Flow's edges, each with the route the layout has found for it. */
export function toFlowEdges(graph: GraphModel, layout: GraphLayout): Edge<StepEdgeData>[] {
  return graph.edges.map(({ id, source, target }) => ({
    id,
    source,
    target,
    type: 'step',
    // Each card says what it depends on; the lines would only say it again.
    domAttributes: { 'aria-hidden': true },
    data: { route: layout.routes.get(id) ?? [] },
  }));
}
