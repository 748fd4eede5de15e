import type { DagSummaryView } from '../../../core/contract/workflows/dags.ts';
import { runStatuses, type RunStatus } from '../../../core/model/run/status.ts';

/** Filters of the list of workflows; an empty string means no filter. */
export interface WorkflowFilter {
  readonly words: string;
  readonly tag: string;
  readonly group: string;
  /** Status of the newest run. */
  readonly status: readonly RunStatus[];
}

/** Parses the filters in an address. */
export const readFilter = (params: URLSearchParams): WorkflowFilter => ({
  words: params.get('text') ?? '',
  tag: params.get('tag') ?? '',
  group: params.get('group') ?? '',
  status: runStatuses.filter((one) => (params.get('status') ?? '').split(',').includes(one)),
});

/** Whether a workflow matches the filters: it contains all words and has the tag. */
export function matchesFilter(dag: DagSummaryView, filter: WorkflowFilter): boolean {
  const { words, tag, group, status } = filter;
  if (tag !== '' && !dag.tags.includes(tag)) return false;
  if (group !== '' && dag.group !== group) return false;
  if (status.length > 0 && !(dag.latestRun && status.includes(dag.latestRun.status))) return false;
  const text = [dag.name, dag.fileName, dag.description, dag.group, ...dag.tags].join(' ').toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Returns all used groups, sorted. */
export const listGroups = (dags: readonly DagSummaryView[]): string[] =>
  [...new Set(dags.flatMap(({ group }) => group ?? []))].toSorted((left, right) => left.localeCompare(right));

/** Returns all used tags, sorted. */
export const listTags = (dags: readonly DagSummaryView[]): string[] =>
  [...new Set(dags.flatMap(({ tags }) => tags))].sort((left, right) => left.localeCompare(right));
