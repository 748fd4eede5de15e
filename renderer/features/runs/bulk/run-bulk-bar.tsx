import { Columns2, OctagonX, RotateCcw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { pluralize } from '../../../../core/base/text/pluralize.ts';
import type { RunSummaryView } from '../../../../core/contract/runs/run-views.ts';
import { isFinal } from '../../../../core/model/run/status.ts';
import { useBridge } from '../../../api/bridge.ts';
import { paths } from '../../../app/paths.ts';
import { shortenRunId } from '../../../format/run-id.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { BulkActions, type BulkAction } from '../../../ui/list/bulk/bulk-actions.tsx';
import { BulkBar } from '../../../ui/list/bulk/bulk-bar.tsx';
import { useBulk } from '../../../ui/list/bulk/use-bulk.tsx';
import type { Selection } from '../../../ui/list/use-selection.ts';
import { FormDialog } from '../../../ui/overlay/form-dialog.tsx';

interface RunBulkBarProps {
  readonly runs: readonly RunSummaryView[];
  readonly selection: Selection;
  readonly onDeleted: () => void;
}

/** Stops, retries, deletes or compares the selected runs. */
export function RunBulkBar({ runs, selection, onDeleted }: RunBulkBarProps) {
  const bridge = useBridge();
  const bulk = useBulk('run');
  const [isAsking, setAsking] = useState(false);
  const [, navigate] = useLocation();
  const items = runs.map(toItem);
  const active = items.filter(({ isOver }) => !isOver);
  const ended = items.filter(({ isOver }) => isOver);
  const remove = async (): Promise<void> => {
    setAsking(false);
    await bulk.begin('deleted', ended, ({ ref }) => bridge.call('runs.delete', ref));
    selection.clear();
    onDeleted();
  };
  const [first, second] = runs;
  const stop: BulkAction = {
    ...kinds.stop,
    count: active.length,
    onPress: () => void bulk.begin('stopping', active, ({ ref }) => bridge.call('runs.stop', ref)),
  };
  const retry: BulkAction = {
    ...kinds.retry,
    count: ended.length,
    onPress: () => void bulk.begin('retried', ended, ({ ref }) => bridge.call('runs.retry', ref)),
  };
  const discard: BulkAction = { ...kinds.discard, count: ended.length, onPress: () => setAsking(true) };
  return (
    <>
      {runs.length > 0 && (
        <BulkBar count={runs.length} onClear={() => selection.clear()}>
          <BulkActions actions={[stop, retry]} isBusy={bulk.isPending} />
          <Button
            size="small"
            icon={Columns2}
            isDisabled={runs.length !== 2}
            onPress={() => first && second && navigate(paths.compare(second, first))}
          >
            Compare
          </Button>
          <BulkActions actions={[discard]} isBusy={bulk.isPending} />
        </BulkBar>
      )}
      {isAsking && (
        <DeleteQuestion
          ended={ended.length}
          active={active.length}
          isPending={bulk.isPending}
          onSubmit={() => void remove()}
          onClose={() => setAsking(false)}
        />
      )}
      {bulk.dialog}
    </>
  );
}

const toItem = ({ name, dagRunId, status }: RunSummaryView) => ({
  ref: { name, dagRunId },
  name: `${name} ${shortenRunId(dagRunId)}`,
  href: paths.run(name, dagRunId),
  isOver: isFinal(status),
});

const kinds = {
  stop: { icon: OctagonX, label: 'Stop', operation: 'runs.stop' },
  retry: { icon: RotateCcw, label: 'Retry', operation: 'runs.retry' },
  discard: { icon: Trash2, label: 'Delete', operation: 'runs.delete', isDanger: true },
} as const;

interface QuestionProps {
  readonly ended: number;
  readonly active: number;
  readonly isPending: boolean;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
}

function DeleteQuestion({ ended, active, isPending, onSubmit, onClose }: QuestionProps) {
  const label = `Delete ${pluralize(ended, 'run')}`;
  return (
    <FormDialog
      title={`${label}?`}
      submit={{ label, icon: Trash2, isDanger: true, isPending }}
      error={null}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <p>
        {ended === 1
          ? 'Its steps, logs and sub-runs are also deleted. This cannot be undone.'
          : 'Their steps, logs and sub-runs are also deleted. This cannot be undone.'}
        {active > 0 &&
          ` ${pluralize(active, 'selected run')} ${active === 1 ? 'is' : 'are'} still active and will be skipped.`}
      </p>
    </FormDialog>
  );
}
