import { Position, type Edge, type Node } from 'reactflow';
import type { GraphModel } from './build-graph.ts';
import type { GraphLayout } from './compute-layout.ts';
import { cardSize, type Direction } from './layout-input.ts';
import type { StepEdgeData } from './step-edge.tsx';
import type { StepNodeData } from './step-node.tsx';

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
    // Declared rather than measured, so that cards outside the view need not be drawn to have edges.
    handles: handlesFor(direction),
    data: { node, total: all.length, ...behaviour } satisfies StepNodeData,
  }));
  if (!layout.lane) return cards;
  const { x, y, width, height } = layout.lane;
  return [{ id: 'lane', type: 'lane', position: { x, y }, width, height, data: {}, zIndex: -1 }, ...cards];
}

function handlesFor(direction: Direction): NonNullable<Node['handles']> {
  const { width, height } = cardSize;
  const common = { width: 1, height: 1 };
  return direction === 'RIGHT'
    ? [
        { type: 'target', position: Position.Left, x: 0, y: height / 2, ...common },
        { type: 'source', position: Position.Right, x: width, y: height / 2, ...common },
      ]
    : [
        { type: 'target', position: Position.Top, x: width / 2, y: 0, ...common },
        { type: 'source', position: Position.Bottom, x: width / 2, y: height, ...common },
      ];
}

/** React Flow's edges, each with the route the layout has found for it. */
export function toFlowEdges(graph: GraphModel, layout: GraphLayout): Edge<StepEdgeData>[] {
  return graph.edges.map(({ id, source, target }) => ({
    id,
    source,
    target,
    type: 'step',
    data: { route: layout.routes.get(id) ?? [] },
  }));
}
