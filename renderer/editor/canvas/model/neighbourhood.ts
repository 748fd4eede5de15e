import type { CanvasGraph } from './canvas-graph.ts';

/** How far, in steps; `Infinity` for all. */
export type Depth = number;

/** Which way along the lines. */
export type Way = 'up' | 'down' | 'both';

/** The nodes within reach of some others along the lines, themselves included. */
export function findNeighbourhood(
  { edges }: Pick<CanvasGraph, 'edges'>,
  from: Iterable<string>,
  way: Way,
  depth: Depth = Infinity,
): ReadonlySet<string> {
  const start = [...from];
  const found = new Set(start);
  for (const each of way === 'both' ? (['up', 'down'] as const) : [way]) {
    const next = new Map<string, string[]>();
    for (const { source, target } of edges) {
      const [near, far] = each === 'down' ? [source, target] : [target, source];
      const known = next.get(near);
      if (known) known.push(far);
      else next.set(near, [far]);
    }
    let frontier = start;
    const seen = new Set(start);
    for (let step = 0; step < depth && frontier.length > 0; step += 1) {
      frontier = frontier.flatMap((id) => next.get(id) ?? []).filter((id) => !seen.has(id) && seen.add(id));
      for (const id of frontier) found.add(id);
    }
  }
  return found;
}
