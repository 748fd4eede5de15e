import type { ElkNode, LayoutOptions } from 'elkjs/lib/elk-api.js';
import type { GraphModel } from '../build-graph.ts';

/** Size of a card in pixels at 100 %. */
export const cardSize = { width: 204, height: 52 } as const;
/** From this number of steps, layout speed takes precedence over quality. */
const largeGraph = 300;

export type Direction = 'RIGHT' | 'DOWN';

/** Builds the input of the layered layout for a workflow's steps; handlers are placed separately. */
export function toLayoutInput(graph: GraphModel, direction: Direction): ElkNode {
  return {
    id: 'root',
    layoutOptions: layoutOptions(graph.steps.length, direction),
    children: graph.steps.map(({ id, size }) => ({ id, ...(size ?? cardSize) })),
    edges: graph.edges.map(({ id, source, target }) => ({ id, sources: [source], targets: [target] })),
  };
}

function layoutOptions(steps: number, direction: Direction): LayoutOptions {
  const options: LayoutOptions = {
    'elk.algorithm': 'layered',
    'elk.direction': direction,
    'elk.edgeRouting': 'ORTHOGONAL',
    'elk.layered.mergeEdges': 'true',
    'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
    'elk.layered.spacing.nodeNodeBetweenLayers': direction === 'RIGHT' ? '48' : '44',
    'elk.layered.spacing.edgeNodeBetweenLayers': '16',
    'elk.spacing.nodeNode': '16',
    'elk.spacing.edgeNode': '20',
    'elk.spacing.componentComponent': '32',
    'elk.padding': '[top=0,left=0,bottom=0,right=0]',
  };
  if (steps <= largeGraph) return { ...options, 'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX' };
  return {
    ...options,
    'elk.layered.thoroughness': '2',
    'elk.layered.crossingMinimization.greedySwitch.type': 'OFF',
    'elk.layered.nodePlacement.strategy': 'SIMPLE',
  };
}
