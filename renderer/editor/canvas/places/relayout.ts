import type { GraphModel } from '../../../graph/build-graph.ts';
import { computeLayout, type GraphLayout } from '../../../graph/layout/compute-layout.ts';
import type { Direction } from '../../../graph/layout/layout-input.ts';
import { quickLayout } from '../../../graph/layout/quick-layout.ts';

/**
 * Up to this number of steps, the thorough layout is awaited without a limit: starting the worker takes longer
 * than the layout.
 */
export const maxBlockingNodes = 40;
/** Largest number of steps for the thorough layout; above, it takes from half a second to several seconds. */
export const maxElkNodes = 300;

/**
 * Computes the layout that the user asked for, the best one possible within the time limit of a key press (ux
 * 3.5).
 */
export async function relayout(graph: GraphModel, direction: Direction): Promise<Omit<GraphLayout, 'lane'>> {
  // The quick layout gives every step the size of a card.
  const isThorough = graph.steps.length <= maxElkNodes || graph.steps.some(({ size }) => size !== undefined);
  if (isThorough) return computeLayout({ ...graph, handlers: [] }, direction);
  return { positions: quickLayout(graph, direction), routes: new Map() };
}
