import { findUpstream } from '../../../../core/plan/graph.ts';
import type { CanvasGraph } from './canvas-graph.ts';

/**
 * Finds all nodes that a connection from one node cannot end at, including the node itself. It applies the
 * rules of core/edit/steps/wiring/check-connection.ts to all nodes at once, when a drag begins.
 * @param end which end of the connection the node is
 */
export function listInvalidTargets(
  graph: CanvasGraph,
  id: string,
  end: 'source' | 'target',
): ReadonlySet<string> {
  if (graph.type === 'chain') return new Set(graph.byId.keys());
  const node = graph.byId.get(id);
  const invalidTargets = new Set([id, ...graph.handlers.map((handler) => handler.id)]);
  if (!node) return invalidTargets;
  const reversed = graph.steps.map(({ name }) => ({ name, depends: [] as string[] }));
  if (end === 'target') {
    const byName = new Map(reversed.map((step) => [step.name, step]));
    for (const { name, depends } of graph.steps)
      for (const one of new Set(depends)) byName.get(one)?.depends.push(name);
  }
  // Steps that would create a cycle, and steps that are connected already.
  for (const name of findUpstream(end === 'source' ? graph.steps : reversed, [node.name]))
    invalidTargets.add(`step:${name}`);
  for (const { source, target } of graph.edges) {
    if (end === 'source' && source === id) invalidTargets.add(target);
    if (end === 'target' && target === id) invalidTargets.add(source);
  }
  return invalidTargets;
}
