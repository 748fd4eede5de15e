import type { CanvasGraph, CanvasNode } from './canvas-graph.ts';

/** Steps of a chain that run at the same time. */
export interface ParallelGroup {
  /** Name of its first step, which it is known by. */
  readonly key: string;
  readonly members: readonly CanvasNode[];
}

export function listGroups({ steps }: Pick<CanvasGraph, 'steps'>): readonly ParallelGroup[] {
  const groups = Map.groupBy(
    steps.filter(({ group }) => group !== undefined),
    ({ group }) => group,
  );
  return Array.from(groups.values(), (members) => ({ key: members[0]!.name, members }));
}

/** The node that stands for a folded group. */
export const foldedId = (key: string): string => `folded ${key}`;

/** Steps that are not drawn since their group is folded, each with the node that stands for it. */
export function findFolded(graph: CanvasGraph, folded: ReadonlySet<string>): ReadonlyMap<string, string> {
  const hidden = new Map<string, string>();
  if (folded.size === 0) return hidden;
  for (const { key, members } of listGroups(graph))
    if (folded.has(key)) for (const { id } of members) hidden.set(id, foldedId(key));
  return hidden;
}
