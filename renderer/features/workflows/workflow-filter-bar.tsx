import { CalendarClock, CalendarX2, Ellipsis, Play, Trash2, X } from 'lucide-react';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { pluralize } from '../../../core/base/text.ts';
import type { DagSummaryView } from '../../../core/contract/dags.ts';
import { runStatuses, type RunStatus } from '../../../core/model/run.ts';
import { NativeSelect, Segmented } from '../../ui/choices.tsx';
import { SearchField } from '../../ui/fields.tsx';
import { FilterBar, FilterSpacer, ChoiceMenu } from '../../ui/list/filter-bar.tsx';
import { toStatusOptions, StatusShape } from '../../ui/status.tsx';
import { statusLabels } from '../../format/labels.ts';
import { useBridge } from '../../api/bridge.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { paths } from '../../navigation/address.ts';
import { Button } from '../../ui/button.tsx';
import { ActionMenu, type MenuAction } from '../../ui/menu.tsx';
import { organize } from '../organize/use-organize.ts';
import { useWorkflowActions } from '../organize/workflow-actions.ts';
import { BulkActions, type BulkAction, BulkBar, useBulk } from '../../ui/list/bulk.tsx';
import type { Selection } from '../../ui/list/row-state.ts';
import { type Grouping, countLatest, type WorkflowRow } from './workflow-rows.ts';
import styles from './workflows.module.css';

/** Filters of the list of workflows; an empty string means no filter. */
interface WorkflowFilter {
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

interface WorkflowFilterBarProps {
  readonly dags: readonly DagSummaryView[];
  readonly filter: WorkflowFilter;
  readonly by: Grouping;
  readonly onGroup: (by: Grouping) => void;
  readonly onChange: (changes: Readonly<Record<string, string>>) => void;
}

const statusChoices = toStatusOptions(runStatuses);

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

/** Filters and grouping of the list of workflows, stored in the address. */
export function WorkflowFilterBar({ dags, filter, by, onGroup, onChange }: WorkflowFilterBarProps) {
  const hasGroups = dags.some(({ group }) => group !== undefined);
  const hasTags = dags.some(({ tags }) => tags.length > 0);
  const ways = [
    { value: 'none', label: 'No grouping' },
    ...(dags.some(({ folder }) => folder !== undefined)
      ? [{ value: 'folder', label: 'By folder' } as const]
      : []),
    ...(hasGroups ? [{ value: 'group', label: 'By group' } as const] : []),
    ...(hasTags ? [{ value: 'tag', label: 'By tag' } as const] : []),
  ] as const;
  return (
    <FilterBar>
      <SearchField
        label="Search workflows"
        placeholder="Search workflows"
        value={filter.words}
        onChange={(text) => onChange({ text })}
      />
      <ChoiceMenu
        label="Last run"
        values={filter.status}
        choices={statusChoices}
        onChange={(status) => onChange({ status: status.join(',') })}
      />
      <GroupAndTagFilter dags={dags} filter={filter} onChange={onChange} />
      {filter.files !== undefined && filter.files.length > 0 && (
        <Button size="small" icon={X} onPress={() => onChange({ files: '' })}>
          {`Only ${pluralize(filter.files.length, 'imported workflow')}`}
        </Button>
      )}
      {ways.length > 1 && (
        <>
          <FilterSpacer />
          <Segmented label="Grouping" value={by} choices={ways} onChange={onGroup} />
        </>
      )}
    </FilterBar>
  );
}

/** Counts of the statuses in a section, worst first. */
export function StatusSummary({ rows }: { readonly rows: readonly WorkflowRow[] }) {
  const broken = rows.filter(({ dag }) => !dag.valid).length;
  return (
    <span className={styles.summary}>
      {countLatest(rows).map(({ status, count }) => (
        <span key={status}>
          <StatusShape status={status} size={12} />
          {count} {statusLabels[status].toLowerCase()}
        </span>
      ))}
      {broken > 0 && <span>{broken} with errors</span>}
    </span>
  );
}

interface WorkflowBulkBarProps {
  readonly dags: readonly DagSummaryView[];
  readonly selection: Selection;
}

/** Runs the selected workflows, or suspends their schedules. */
export function WorkflowBulkBar({ dags, selection }: WorkflowBulkBarProps) {
  const bridge = useBridge();
  const cache = useQueryClient();
  const bulk = useBulk('workflow');
  const listActions = useWorkflowActions();
  const items = dags.map(toItem);
  const suspend = async (chosen: typeof items, isOn: boolean): Promise<void> => {
    await bulk.begin(isOn ? 'suspended' : 'resumed', chosen, ({ fileName }) =>
      bridge.call('dags.suspend', { fileName, suspend: isOn }),
    );
    await cache.invalidateQueries({ queryKey: queryKeys.dags });
  };
  const awake = items.filter(({ isScheduled, suspended }) => isScheduled && !suspended);
  const resting = items.filter(({ suspended }) => suspended);
  const actions: readonly BulkAction[] = [
    {
      ...kinds.run,
      count: items.length,
      onPress: () =>
        void bulk.begin('started', items, ({ fileName }) => bridge.call('dags.start', { fileName })),
    },
    { ...kinds.suspend, count: awake.length, onPress: () => void suspend(awake, true) },
    { ...kinds.resume, count: resting.length, onPress: () => void suspend(resting, false) },
  ];
  const remove: BulkAction = {
    icon: Trash2,
    label: 'Delete',
    operation: 'dags.delete',
    isDanger: true,
    count: dags.length,
    onPress: () => organize('delete', dags),
  };
  return (
    <>
      {dags.length > 0 && (
        <BulkBar count={dags.length} onClear={() => selection.clear()}>
          <BulkActions actions={actions} isBusy={bulk.isPending} />
          <ActionMenu label="Change the selected workflows" actions={listActions(dags).filter(isChange)}>
            <Button size="small" icon={Ellipsis}>
              Change
            </Button>
          </ActionMenu>
          <BulkActions actions={[remove]} isBusy={bulk.isPending} />
        </BulkBar>
      )}
      {bulk.dialog}
    </>
  );
}

/** Whether a menu action is not in the bar itself. */
const isChange = ({ id }: MenuAction): boolean => !['run', 'edit', 'suspend', 'delete'].includes(id);

const toItem = ({ fileName, name, suspended, schedule }: DagSummaryView) => ({
  fileName,
  name,
  href: paths.workflow(fileName),
  suspended,
  isScheduled: Object.values(schedule).some((times) => times.length > 0),
});

const kinds = {
  run: { icon: Play, label: 'Run', operation: 'dags.start' },
  suspend: { icon: CalendarX2, label: 'Suspend', operation: 'dags.suspend' },
  resume: { icon: CalendarClock, label: 'Resume', operation: 'dags.suspend' },
} as const;
