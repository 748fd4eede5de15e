import ElkApi, { type ELK, type ElkNode } from 'elkjs/lib/elk-api.js';
import workerUrl from 'elkjs/lib/elk-worker.min.js?url';
import type { GraphModel } from '../build-graph.ts';
import { cardSize, toLayoutInput, type Direction } from './layout-input.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Where everything stands, in pixels at 100 %. */
export interface GraphLayout {
  readonly places: ReadonlyMap<string, Point>;
  /** Corners of each edge, both ends included. */
  readonly routes: ReadonlyMap<string, readonly Point[]>;
  /** The strip that handlers stand in, when there are any. */
  readonly lane: (Point & { readonly width: number; readonly height: number }) | undefined;
}

let engine: ELK | undefined;

/** Starts the layout worker ahead of need: its program is large, and reading it takes longer than most layouts. */
export function warmUpLayout(): ELK {
  engine ??= new ElkApi({ workerFactory: () => new Worker(workerUrl) });
  return engine;
}

/** Lays a graph out in a worker of its own; the window stays free whatever the size. */
export async function computeLayout(graph: GraphModel, direction: Direction): Promise<GraphLayout> {
  const placed = await warmUpLayout().layout(toLayoutInput(graph, direction));
  return withHandlerLane(graph, readLayout(placed), direction, placed);
}

function readLayout(placed: ElkNode): Omit<GraphLayout, 'lane'> {
  const places = new Map<string, Point>();
  for (const { id, x = 0, y = 0 } of placed.children ?? []) places.set(id, { x, y });
  const routes = new Map<string, readonly Point[]>();
  for (const { id, sections } of placed.edges ?? []) {
    const section = sections?.[0];
    if (section) routes.set(id, [section.startPoint, ...(section.bendPoints ?? []), section.endPoint]);
  }
  return { places, routes };
}

const laneGap = 44;
const lanePadding = 14;
const laneHead = 26;
const cardGap = 16;

/** Puts the handlers in a row below the steps (beside them when the graph runs downwards). */
export function withHandlerLane(
  graph: GraphModel,
  layout: Omit<GraphLayout, 'lane'>,
  direction: Direction,
  extent: { readonly width?: number; readonly height?: number },
): GraphLayout {
  const count = graph.handlers.length;
  if (count === 0) return { ...layout, lane: undefined };
  const inRow = direction === 'RIGHT';
  const origin = inRow
    ? { x: 0, y: (extent.height ?? 0) + laneGap }
    : { x: (extent.width ?? 0) + laneGap, y: 0 };
  const places = new Map(layout.places);
  graph.handlers.forEach(({ id }, index) => {
    places.set(id, {
      x: origin.x + lanePadding + (inRow ? index * (cardSize.width + cardGap) : 0),
      y: origin.y + laneHead + (inRow ? 0 : index * (cardSize.height + cardGap)),
    });
  });
  const along = (size: number, times: number): number => times * size + (times - 1) * cardGap;
  return {
    ...layout,
    places,
    lane: {
      ...origin,
      width: along(cardSize.width, inRow ? count : 1) + 2 * lanePadding,
      height: along(cardSize.height, inRow ? 1 : count) + laneHead + lanePadding,
    },
  };
}
