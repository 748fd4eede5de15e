/**
 * Finds one cycle in a directed graph.
 * @param edges the neighbors of each node; a neighbor without an entry is a leaf
 * @returns the nodes of a cycle with the first one repeated at the end, or undefined when there is none
 */
export function findCycle(edges: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  for (const start of edges.keys()) {
    const cycle = walk(start, edges, { done, path: [] });
    if (cycle) return cycle;
  }
  return undefined;
}

function walk(
  node: string,
  edges: ReadonlyMap<string, readonly string[]>,
  state: { done: Set<string>; path: string[] },
): string[] | undefined {
  const seenAt = state.path.indexOf(node);
  if (seenAt >= 0) return [...state.path.slice(seenAt), node];
  if (state.done.has(node)) return undefined;
  state.path.push(node);
  for (const next of edges.get(node) ?? []) {
    const cycle = walk(next, edges, state);
    if (cycle) return cycle;
  }
  state.path.pop();
  state.done.add(node);
  return undefined;
}
