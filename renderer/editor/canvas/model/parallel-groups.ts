import type { CanvasGraph, CanvasNode } from './canvas-graph.ts';

/** Parallel steps in a sequential workflow. */
export interface ParallelGroup {
  /** Name of its first step, which identifies it. */
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

/** Returns the id of the node that represents a folded group. */
export const foldedGroupId = (key: string): string => `folded ${key}`;

/** Returns the steps hidden in folded groups, each with the id of the group's node. */
export function findFolded(graph: CanvasGraph, folded: ReadonlySet<string>): ReadonlyMap<string, string> {
  const hidden = new Map<string, string>();
  if (folded.size === 0) return hidden;
  for (const { key, members } of listGroups(graph))
    if (folded.has(key)) for (const { id } of members) hidden.set(id, foldedGroupId(key));
  return hidden;
}
