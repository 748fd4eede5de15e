import { Columns2, OctagonX, RotateCcw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { RunSummaryView } from '../../../../core/contract/run-views.ts';
import { isFinal } from '../../../../core/model/status.ts';
import { useBridge } from '../../../api/bridge.ts';
import { useMay } from '../../../api/session/permissions.ts';
import { paths } from '../../../app/paths.ts';
import { shortenRunId } from '../../../format/run-id.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { BulkBar } from '../../../ui/list/bulk-bar.tsx';
import { countThings } from '../../../ui/list/bulk-report.tsx';
import { useBulk } from '../../../ui/list/use-bulk.tsx';
import type { Selection } from '../../../ui/list/use-selection.ts';
import { FormDialog } from '../../../ui/overlay/form-dialog.tsx';

interface RunBulkBarProps {
  readonly runs: readonly RunSummaryView[];
  readonly selection: Selection;
  readonly onDeleted: () => void;
}

/** Stop, retry, delete or compare the runs that are selected. */
export function RunBulkBar({ runs, selection, onDeleted }: RunBulkBarProps) {
  const bridge = useBridge();
  const bulk = useBulk('run');
  const [isAsking, setAsking] = useState(false);
  const [, navigate] = useLocation();
  const may = { stop: useMay('runs.stop'), retry: useMay('runs.retry'), delete: useMay('runs.delete') };
  const items = runs.map((run) => ({
    ref: { name: run.name, dagRunId: run.dagRunId },
    name: `${run.name} ${shortenRunId(run.dagRunId)}`,
    href: paths.run(run.name, run.dagRunId),
    isOver: isFinal(run.status),
  }));
  const active = items.filter(({ isOver }) => !isOver);
  const ended = items.filter(({ isOver }) => isOver);
  const remove = async (): Promise<void> => {
    setAsking(false);
    await bulk.begin('deleted', ended, ({ ref }) => bridge.call('runs.delete', ref));
    selection.clear();
    onDeleted();
  };
  const [first, second] = runs;
  return (
    <>
      {runs.length > 0 && (
        <BulkBar count={runs.length} onClear={() => selection.clear()}>
          <Button
            size="small"
            icon={OctagonX}
            isDisabled={active.length === 0 || bulk.isPending}
            unavailable={may.stop.reason}
            onPress={() =>
              void bulk.begin('told to stop', active, ({ ref }) => bridge.call('runs.stop', ref))
            }
          >
            {`Stop ${active.length || ''}`}
          </Button>
          <Button
            size="small"
            icon={RotateCcw}
            isDisabled={ended.length === 0 || bulk.isPending}
            unavailable={may.retry.reason}
            onPress={() => void bulk.begin('retried', ended, ({ ref }) => bridge.call('runs.retry', ref))}
          >
            {`Retry ${ended.length || ''}`}
          </Button>
          <Button
            size="small"
            icon={Columns2}
            isDisabled={runs.length !== 2}
            onPress={() => first && second && navigate(paths.compare(second, first))}
          >
            Compare
          </Button>
          <Button
            size="small"
            icon={Trash2}
            look="danger"
            isDisabled={ended.length === 0 || bulk.isPending}
            unavailable={may.delete.reason}
            onPress={() => setAsking(true)}
          >
            {`Delete ${ended.length || ''}`}
          </Button>
        </BulkBar>
      )}
      {isAsking && (
        <FormDialog
          title={`Delete ${countThings(ended.length, 'run')}?`}
          submit={{
            label: `Delete ${countThings(ended.length, 'run')}`,
            icon: Trash2,
            isDanger: true,
            isPending: bulk.isPending,
          }}
          error={null}
          onSubmit={() => void remove()}
          onClose={() => setAsking(false)}
        >
          <p>
            Their steps, logs and sub-runs go with them, for good.
            {active.length > 0 &&
              ` ${countThings(active.length, 'selected run')} still active will be left alone.`}
          </p>
        </FormDialog>
      )}
      {bulk.dialog}
    </>
  );
}
