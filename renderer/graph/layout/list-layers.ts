import type { GraphModel } from '../build-graph.ts';

/** Dependencies and dependents of each step, by index. */
export interface Links {
  readonly sources: readonly (readonly number[])[];
  readonly targets: readonly (readonly number[])[];
}

/** Collects the links of the steps; self-references are omitted. */
export function linkSteps({ steps, edges }: Pick<GraphModel, 'steps' | 'edges'>): Links {
  const number = new Map(steps.map(({ id }, index) => [id, index]));
  const count = steps.length;
  const sources = Array.from({ length: count }, (): number[] => []);
  const targets = Array.from({ length: count }, (): number[] => []);
  for (const edge of edges) {
    const [source, target] = [number.get(edge.source), number.get(edge.target)];
    if (source === undefined || target === undefined || source === target) continue;
    sources[target]!.push(source);
    targets[source]!.push(target);
  }
  return { sources, targets };
}

/**
 * Groups steps into layers by the longest path to them, each layer in the specified order. In a cycle, the edges
 * back to its first step are ignored.
 */
export function listLayers(component: readonly number[], { sources, targets }: Links): number[][] {
  const depth = new Map<number, number>();
  const waits = new Map(component.map((one) => [one, sources[one]!.length]));
  const ready = component.filter((one) => waits.get(one) === 0);
  let next = 0;
  const settle = (one: number): void => {
    const ownDepth = sources[one]!.reduce((max, source) => Math.max(max, (depth.get(source) ?? -1) + 1), 0);
    depth.set(one, ownDepth);
    for (const target of targets[one]!) {
      const left = waits.get(target)! - 1;
      waits.set(target, left);
      if (left === 0 && !depth.has(target)) ready.push(target);
    }
  };
  while (depth.size < component.length) {
    for (const one of ready.splice(0)) if (!depth.has(one)) settle(one);
    if (ready.length > 0 || depth.size === component.length) continue;
    while (depth.has(component[next]!)) next += 1;
    ready.push(component[next]!);
  }
  const layers: number[][] = [];
  for (const one of component) (layers[depth.get(one)!] ??= []).push(one);
  return layers.filter((layer) => layer.length > 0);
}
