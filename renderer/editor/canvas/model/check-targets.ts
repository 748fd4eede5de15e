import { findUpstream } from '../../../../core/plan/graph.ts';
import type { CanvasGraph } from './canvas-graph.ts';

/**
 * The nodes that a line from one cannot lead to, itself included: all that it would refuse one by one
 * (core/edit/steps/wiring/check-connection.ts), found at once for the moment a line is begun.
 * @param end which end of the line the node is
 */
export function listRefused(graph: CanvasGraph, id: string, end: 'source' | 'target'): ReadonlySet<string> {
  if (graph.type === 'chain') return new Set(graph.byId.keys());
  const node = graph.byId.get(id);
  const refused = new Set([id, ...graph.handlers.map((handler) => handler.id)]);
  if (!node) return refused;
  const reversed = graph.steps.map(({ name }) => ({ name, depends: [] as string[] }));
  if (end === 'target') {
    const byName = new Map(reversed.map((step) => [step.name, step]));
    for (const { name, depends } of graph.steps)
      for (const one of new Set(depends)) byName.get(one)?.depends.push(name);
  }
  // What a cycle would go through, and what is connected already.
  for (const name of findUpstream(end === 'source' ? graph.steps : reversed, [node.name]))
    refused.add(`step:${name}`);
  for (const { source, target } of graph.edges) {
    if (end === 'source' && source === id) refused.add(target);
    if (end === 'target' && target === id) refused.add(source);
  }
  return refused;
}
