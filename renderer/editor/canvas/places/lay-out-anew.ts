import type { GraphModel } from '../../../graph/build-graph.ts';
import { computeLayout, type GraphLayout } from '../../../graph/layout/compute-layout.ts';
import type { Direction } from '../../../graph/layout/layout-input.ts';
import { layOutQuickly } from '../../../graph/layout/quick-layout.ts';

/** Most steps that the thorough layout is waited for, however long it takes: to start it takes longer than to lay out. */
export const mostWaitedFor = 40;
/** Most steps that the thorough layout is made for; above it takes from half a second to several. */
export const mostThorough = 300;

/** The layout that is asked for: as good as may be had within the time that a person waits for a key (ux 3.5). */
export async function layOutAnew(
  graph: GraphModel,
  direction: Direction,
): Promise<Pick<GraphLayout, 'places' | 'routes'>> {
  // The quick layout gives each step the room of a card.
  const isThorough = graph.steps.length <= mostThorough || graph.steps.some(({ size }) => size !== undefined);
  if (isThorough) return computeLayout({ ...graph, handlers: [] }, direction);
  return { places: layOutQuickly(graph, direction), routes: new Map() };
}
