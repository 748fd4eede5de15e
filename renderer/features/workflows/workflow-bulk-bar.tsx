import { CalendarClock, CalendarX2, Play } from 'lucide-react';
import { useQueryClient } from '@tanstack/react-query';
import type { DagSummaryView } from '../../../core/contract/workflows/dags.ts';
import { useBridge } from '../../api/bridge.ts';
import { queryKeys } from '../../api/queries/query-keys.ts';
import { paths } from '../../app/paths.ts';
import { BulkActions, type BulkAction } from '../../ui/list/bulk/bulk-actions.tsx';
import { BulkBar } from '../../ui/list/bulk/bulk-bar.tsx';
import { useBulk } from '../../ui/list/bulk/use-bulk.tsx';
import type { Selection } from '../../ui/list/use-selection.ts';

interface WorkflowBulkBarProps {
  readonly dags: readonly DagSummaryView[];
  readonly selection: Selection;
}

/** Runs the selected workflows, or suspends their schedules. */
export function WorkflowBulkBar({ dags, selection }: WorkflowBulkBarProps) {
  const bridge = useBridge();
  const cache = useQueryClient();
  const bulk = useBulk('workflow');
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
  return (
    <>
      {dags.length > 0 && (
        <BulkBar count={dags.length} onClear={() => selection.clear()}>
          <BulkActions actions={actions} isBusy={bulk.isPending} />
        </BulkBar>
      )}
      {bulk.dialog}
    </>
  );
}

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
