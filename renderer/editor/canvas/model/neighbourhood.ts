import type { CanvasGraph } from './canvas-graph.ts';

/** Distance in steps; `Infinity` for no limit. */
export type NeighbourDepth = number;

/** Direction along the lines. */
export type LineDirection = 'up' | 'down' | 'both';

/** Returns the nodes within reach of some nodes along the lines, including these nodes. */
export function findNeighbourhood(
  { edges }: Pick<CanvasGraph, 'edges'>,
  from: Iterable<string>,
  direction: LineDirection,
  depth: NeighbourDepth = Infinity,
): ReadonlySet<string> {
  const start = [...from];
  const neighbours = new Set(start);
  for (const each of direction === 'both' ? (['up', 'down'] as const) : [direction]) {
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
      for (const id of frontier) neighbours.add(id);
    }
  }
  return neighbours;
}
