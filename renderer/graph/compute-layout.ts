import ElkApi, { type ElkNode, type LayoutOptions, type ELK } from 'elkjs/lib/elk-api.js';
import workerUrl from 'elkjs/lib/elk-worker.min.js?url';
import { RestartingRpcWorker } from '../base/rpc-worker.ts';
import type { GraphModel } from './build-graph.ts';

/** Size of a card in pixels at 100%. */
export const cardSize = { width: 204, height: 52 } as const;

/** Returns the position of a card whose center is at a point. */
export const centeredCard = ({ x, y }: Point): Point => ({
  x: x - cardSize.width / 2,
  y: y - cardSize.height / 2,
});

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

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Positions of all parts, in pixels at 100%. */
export interface GraphLayout {
  readonly positions: ReadonlyMap<string, Point>;
  /** Corner points of each edge, including both ends. */
  readonly routes: ReadonlyMap<string, readonly Point[]>;
  /** The lane of the handlers, if there are any. */
  readonly lane: (Point & { readonly width: number; readonly height: number }) | undefined;
}

let engine: ELK | undefined;

/** Starts the layout worker in advance: loading its large program takes longer than most layouts. */
export function warmUpLayout(): ELK {
  // The library only uses the parts of a worker that this class has.
  const workerFactory = () => new RestartingRpcWorker(() => new Worker(workerUrl)) as unknown as Worker;
  engine ??= new ElkApi({ workerFactory });
  return engine;
}

/**
 * Lays out a graph in a worker, so that the window stays responsive for any size.
 * @param room size of the view in pixels, which decides where the handlers are placed
 */
export async function computeLayout(
  graph: GraphModel,
  direction: Direction,
  room?: Size,
): Promise<GraphLayout> {
  const placed = await warmUpLayout().layout(toLayoutInput(graph, direction));
  const extent = { width: placed.width ?? 0, height: placed.height ?? 0 };
  const side = chooseLaneSide(graph.handlers.length, direction, extent, room);
  return withHandlerLane(graph, readLayout(placed), side, extent);
}

function readLayout(placed: ElkNode): Omit<GraphLayout, 'lane'> {
  const positions = new Map<string, Point>();
  for (const { id, x = 0, y = 0 } of placed.children ?? []) positions.set(id, { x, y });
  const routes = new Map<string, readonly Point[]>();
  for (const { id, sections } of placed.edges ?? []) {
    const section = sections?.[0];
    if (section) routes.set(id, [section.startPoint, ...(section.bendPoints ?? []), section.endPoint]);
  }
  return { positions, routes };
}

const laneGap = 44;
const lanePadding = 14;
const laneHead = 32;
const cardGap = 16;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Position of the handlers: in a row below the steps, or in a column next to them. */
type LaneSide = 'below' | 'beside';

const along = (size: number, times: number): number => times * size + (times - 1) * cardGap;

function laneSize(count: number, side: LaneSide): Size {
  const isRow = side === 'below';
  return {
    width: along(cardSize.width, isRow ? count : 1) + 2 * lanePadding,
    height: along(cardSize.height, isRow ? 1 : count) + laneHead + lanePadding,
  };
}

/** Chooses the side along the direction of the graph, unless the whole is shown larger the other way. */
export function chooseLaneSide(
  count: number,
  direction: Direction,
  extent: Size,
  room: Size | undefined,
): LaneSide {
  const getScale = (side: LaneSide, view: Size): number => {
    const lane = laneSize(count, side);
    const width = side === 'below' ? Math.max(extent.width, lane.width) : extent.width + laneGap + lane.width;
    const height =
      side === 'below' ? extent.height + laneGap + lane.height : Math.max(extent.height, lane.height);
    return Math.min(1, view.width / width, view.height / height);
  };
  const [usual, other] =
    direction === 'RIGHT' ? (['below', 'beside'] as const) : (['beside', 'below'] as const);
  return room !== undefined && getScale(other, room) > getScale(usual, room) ? other : usual;
}

/** Places the handlers next to or below the steps. */
export function withHandlerLane(
  graph: GraphModel,
  layout: Omit<GraphLayout, 'lane'>,
  side: LaneSide,
  extent: Size,
): GraphLayout {
  const count = graph.handlers.length;
  if (count === 0) return { ...layout, lane: undefined };
  const inRow = side === 'below';
  const origin = inRow ? { x: 0, y: extent.height + laneGap } : { x: extent.width + laneGap, y: 0 };
  const positions = new Map(layout.positions);
  graph.handlers.forEach(({ id }, index) => {
    positions.set(id, {
      x: origin.x + lanePadding + (inRow ? index * (cardSize.width + cardGap) : 0),
      y: origin.y + laneHead + (inRow ? 0 : index * (cardSize.height + cardGap)),
    });
  });
  return { ...layout, positions, lane: { ...origin, ...laneSize(count, side) } };
}
