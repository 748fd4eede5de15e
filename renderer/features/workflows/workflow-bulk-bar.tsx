import { CalendarClock, CalendarX2, Play } from 'lucide-react';
import { useQueryClient } from '@tanstack/react-query';
import type { DagSummaryView } from '../../../core/contract/workflows/dags.ts';
import { useBridge } from '../../api/bridge.ts';
import { queryKeys } from '../../api/queries/query-keys.ts';
import { useMay } from '../../api/session/permissions.ts';
import { paths } from '../../app/paths.ts';
import { Button } from '../../ui/controls/button.tsx';
import { BulkBar } from '../../ui/list/bulk-bar.tsx';
import { useBulk } from '../../ui/list/use-bulk.tsx';
import type { Selection } from '../../ui/list/use-selection.ts';

interface WorkflowBulkBarProps {
  readonly dags: readonly DagSummaryView[];
  readonly selection: Selection;
}

/** Run the selected workflows, or let their schedules rest. */
export function WorkflowBulkBar({ dags, selection }: WorkflowBulkBarProps) {
  const bridge = useBridge();
  const cache = useQueryClient();
  const bulk = useBulk('workflow');
  const may = { start: useMay('dags.start'), suspend: useMay('dags.suspend') };
  const items = dags.map(({ fileName, name, suspended, schedule }) => ({
    fileName,
    name,
    href: paths.workflow(fileName),
    suspended,
    isScheduled: Object.values(schedule).some((times) => times.length > 0),
  }));
  const awake = items.filter(({ isScheduled, suspended }) => isScheduled && !suspended);
  const resting = items.filter(({ suspended }) => suspended);
  const suspend = async (chosen: typeof items, isOn: boolean): Promise<void> => {
    await bulk.begin(isOn ? 'suspended' : 'resumed', chosen, ({ fileName }) =>
      bridge.call('dags.suspend', { fileName, suspend: isOn }),
    );
    await cache.invalidateQueries({ queryKey: queryKeys.dags });
  };
  const isBusy = bulk.isPending;
  return (
    <>
      {dags.length > 0 && (
        <BulkBar count={dags.length} onClear={() => selection.clear()}>
          <Button
            size="small"
            icon={Play}
            isDisabled={isBusy}
            unavailable={may.start.reason}
            onPress={() =>
              void bulk.begin('started', items, ({ fileName }) => bridge.call('dags.start', { fileName }))
            }
          >
            {`Run ${items.length}`}
          </Button>
          <Button
            size="small"
            icon={CalendarX2}
            isDisabled={isBusy || awake.length === 0}
            unavailable={may.suspend.reason}
            onPress={() => void suspend(awake, true)}
          >
            {`Suspend ${awake.length || ''}`}
          </Button>
          <Button
            size="small"
            icon={CalendarClock}
            isDisabled={isBusy || resting.length === 0}
            unavailable={may.suspend.reason}
            onPress={() => void suspend(resting, false)}
          >
            {`Resume ${resting.length || ''}`}
          </Button>
        </BulkBar>
      )}
      {bulk.dialog}
    </>
  );
}
