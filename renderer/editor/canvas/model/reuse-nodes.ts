import type { CanvasGraph, CanvasNode } from './canvas-graph.ts';

const isSameList = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((one, index) => one === right[index]);

const isSame = (left: CanvasNode, right: CanvasNode): boolean =>
  left.kind === right.kind &&
  left.detail === right.detail &&
  left.place === right.place &&
  left.group === right.group &&
  isSameList(left.depends, right.depends) &&
  left.severity === right.severity &&
  isSameList(left.problems, right.problems) &&
  isSameList(left.traits, right.traits);

/** The graph with the objects of the one before for what has not changed, so that it is not drawn again. */
export function reuseNodes(before: CanvasGraph | undefined, graph: CanvasGraph): CanvasGraph {
  if (!before) return graph;
  const reuse = (node: CanvasNode): CanvasNode => {
    const old = before.byId.get(node.id);
    return old && isSame(old, node) ? old : node;
  };
  const steps = graph.steps.map(reuse);
  const handlers = graph.handlers.map(reuse);
  const isSameEdges =
    before.edges.length === graph.edges.length &&
    graph.edges.every(({ id }, index) => id === before.edges[index]!.id);
  return {
    ...graph,
    steps,
    handlers,
    edges: isSameEdges ? before.edges : graph.edges,
    byId: new Map([...steps, ...handlers].map((node) => [node.id, node])),
  };
}
