import type { DagSummaryView } from '../../../core/contract/dags.ts';

/** Whether a workflow belongs to what is searched for: all words occur somewhere, and it bears the tag. */
export function matchesFilter(dag: DagSummaryView, words: string, tag: string): boolean {
  if (tag !== '' && !dag.tags.includes(tag)) return false;
  const text = [dag.name, dag.fileName, dag.description, dag.group, ...dag.tags].join(' ').toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** All tags in use, in order. */
export const listTags = (dags: readonly DagSummaryView[]): string[] =>
  [...new Set(dags.flatMap(({ tags }) => tags))].sort((left, right) => left.localeCompare(right));
