import { CalendarClock, CalendarX2, Ellipsis, Play, Trash2, X } from 'lucide-react';
import { useQueryClient } from '@tanstack/react-query';
import { pluralize } from '../../../core/base/text.ts';
import type { DagSummaryView } from '../../../core/contract/dags.ts';
import { runStatuses } from '../../../core/model/run.ts';
import { Segmented } from '../../ui/choices.tsx';
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
import { GroupAndTagFilter, type WorkflowFilter } from '../organize/workflow-filter.tsx';
import { useWorkflowActions } from '../organize/workflow-actions.ts';
import { BulkActions, type BulkAction, BulkBar, useBulk } from '../../ui/list/bulk.tsx';
import type { Selection } from '../../ui/list/row-state.ts';
import { type Grouping, countLatest, type WorkflowRow } from './workflow-rows.ts';
import styles from './workflows.module.css';

interface WorkflowFilterBarProps {
  readonly dags: readonly DagSummaryView[];
  readonly filter: WorkflowFilter;
  readonly by: Grouping;
  readonly onGroup: (by: Grouping) => void;
  readonly onChange: (changes: Readonly<Record<string, string>>) => void;
}

const statusChoices = toStatusOptions(runStatuses);

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
