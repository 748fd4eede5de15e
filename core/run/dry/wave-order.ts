import { orderTopologically, type GraphNode } from '../../plan/graph.ts';

/** A step and the wave it belongs to. */
export interface WaveEntry<Node extends GraphNode> {
  readonly step: Node;
  /** From 1: one more than the highest wave of its dependencies. */
  readonly wave: number;
}

/** Sorts steps in the order of execution: by wave (steps that can run in parallel), then in file order. */
export function orderByWave<Node extends GraphNode>(steps: readonly Node[]): WaveEntry<Node>[] {
  const byName = new Map(steps.map((step) => [step.name, step]));
  const waves = new Map<string, number>();
  for (const name of orderTopologically(steps)) {
    const before = byName.get(name)!.depends.map((dependency) => waves.get(dependency) ?? 0);
    waves.set(name, 1 + before.reduce((latest, wave) => Math.max(latest, wave), 0));
  }
  return steps
    .map((step) => ({ step, wave: waves.get(step.name) ?? 1 }))
    .toSorted((left, right) => left.wave - right.wave);
}
