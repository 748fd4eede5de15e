import { useMemo } from 'react';
import type { DagSummaryView } from '../../../core/contract/dags.ts';
import { runStatuses, type RunStatus } from '../../../core/model/run.ts';
import { NativeSelect } from '../../ui/choices.tsx';

/** Filters of the list of workflows; an empty string means no filter. */
export interface WorkflowFilter {
  readonly words: string;
  readonly tag: string;
  readonly group: string;
  /** Status of the newest run. */
  readonly status: readonly RunStatus[];
  /** Names of the only files to show, as after an import. */
  readonly files?: readonly string[];
}

/** Parses the filters in an address. */
export const readFilter = (params: URLSearchParams): WorkflowFilter => ({
  words: params.get('text') ?? '',
  tag: params.get('tag') ?? '',
  group: params.get('group') ?? '',
  status: runStatuses.filter((one) => (params.get('status') ?? '').split(',').includes(one)),
  files: (params.get('files') ?? '').split(',').filter(Boolean),
});

/** Whether a workflow matches the filters: it contains all words and has the tag. */
export function matchesFilter(dag: DagSummaryView, filter: WorkflowFilter): boolean {
  const { words, tag, group, status, files = [] } = filter;
  if (files.length > 0 && !files.includes(dag.fileName)) return false;
  if (tag !== '' && !dag.tags.includes(tag)) return false;
  if (group !== '' && dag.group !== group) return false;
  if (status.length > 0 && !(dag.latestRun && status.includes(dag.latestRun.status))) return false;
  const text = [dag.name, dag.fileName, dag.folder, dag.description, dag.group, ...dag.tags]
    .join(' ')
    .toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Returns all used groups, sorted. */
const listGroups = (dags: readonly DagSummaryView[]): string[] =>
  [...new Set(dags.flatMap(({ group }) => group ?? []))].toSorted((a, b) => a.localeCompare(b));

/** Returns all used tags, sorted. */
const listTags = (dags: readonly DagSummaryView[]): string[] =>
  [...new Set(dags.flatMap(({ tags }) => tags))].sort((a, b) => a.localeCompare(b));

interface GroupAndTagFilterProps {
  readonly dags: readonly DagSummaryView[];
  readonly filter: Pick<WorkflowFilter, 'group' | 'tag'>;
  readonly onChange: (changes: Readonly<Record<string, string>>) => void;
}

/** Filters workflows by group and tag. There may be hundreds of each, so the lists are those of the system. */
export function GroupAndTagFilter({ dags, filter, onChange }: GroupAndTagFilterProps) {
  const [groups, tags] = useMemo(() => [listGroups(dags), listTags(dags)], [dags]);
  const select = (label: string, field: 'group' | 'tag', values: readonly string[]) =>
    values.length > 0 && (
      <NativeSelect
        aria-label={label}
        value={filter[field]}
        onChange={({ target }) => onChange({ [field]: target.value })}
      >
        <option value="">{`All ${label.toLowerCase()}s`}</option>
        {/* An address may name one that no workflow has any more. */}
        {[...new Set([...values, filter[field]])].filter(Boolean).map((value) => (
          <option key={value}>{value}</option>
        ))}
      </NativeSelect>
    );
  return (
    <>
      {select('Group', 'group', groups)}
      {select('Tag', 'tag', tags)}
    </>
  );
}
