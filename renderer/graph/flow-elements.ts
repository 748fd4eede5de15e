import type { Edge, Node } from 'reactflow';
import type { GraphModel } from './build-graph.ts';
import type { GraphLayout } from './layout/compute-layout.ts';
import { cardSize, type Direction } from './layout/layout-input.ts';
import type { StepEdgeData } from './step-edge.tsx';
import type { StepNodeData } from './cards/step-node.tsx';
import { handleSidesFor } from './sides.ts';

type Behaviour = Pick<StepNodeData, 'onArrow' | 'onSelect'>;

/** Returns the React Flow nodes of a graph with its layout. They do not change during a run. */
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
    position: layout.positions.get(node.id) ?? { x: 0, y: 0 },
    ...cardSize,
    handles: handlesFor(direction),
    data: { node, total: all.length, sides: handleSidesFor(direction), ...behaviour } satisfies StepNodeData,
  }));
  if (!layout.lane) return cards;
  const { x, y, width, height } = layout.lane;
  return [{ id: 'lane', type: 'lane', position: { x, y }, width, height, data: {}, zIndex: -1 }, ...cards];
}

/**
 * Positions of the handles, computed up front, so that lines can be drawn to cards outside the viewport, which
 * are not rendered.
 */
function handlesFor(direction: Direction): NonNullable<Node['handles']> {
  const { target, source } = handleSidesFor(direction);
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

/** Returns the React Flow edges, each with its route from the layout. */
export function toFlowEdges(graph: GraphModel, layout: GraphLayout): Edge<StepEdgeData>[] {
  return graph.edges.map(({ id, source, target }) => ({
    id,
    source,
    target,
    type: 'step',
    // Each card announces its dependencies; the lines would repeat them.
    domAttributes: { 'aria-hidden': true },
    data: { route: layout.routes.get(id) ?? [] },
  }));
}
