import { Columns2, type LucideIcon, OctagonX, RotateCcw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { countThings } from '../../../../core/base/count-things.ts';
import type { RunSummaryView } from '../../../../core/contract/runs/run-views.ts';
import { isFinal } from '../../../../core/model/run/status.ts';
import { useBridge } from '../../../api/bridge.ts';
import { useMay } from '../../../api/session/permissions.ts';
import { paths } from '../../../app/paths.ts';
import { shortenRunId } from '../../../format/run-id.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { BulkBar } from '../../../ui/list/bulk-bar.tsx';
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
  const stop: WorkItem = {
    ...works.stop,
    count: active.length,
    onPress: () => void bulk.begin('told to stop', active, ({ ref }) => bridge.call('runs.stop', ref)),
  };
  const retry: WorkItem = {
    ...works.retry,
    count: ended.length,
    onPress: () => void bulk.begin('retried', ended, ({ ref }) => bridge.call('runs.retry', ref)),
  };
  const discard: WorkItem = { ...works.discard, count: ended.length, onPress: () => setAsking(true) };
  return (
    <>
      {runs.length > 0 && (
        <BulkBar count={runs.length} onClear={() => selection.clear()}>
          <Works works={[stop, retry]} isBusy={bulk.isPending} />
          <Button
            size="small"
            icon={Columns2}
            isDisabled={runs.length !== 2}
            onPress={() => first && second && navigate(paths.compare(second, first))}
          >
            Compare
          </Button>
          <Works works={[discard]} isBusy={bulk.isPending} />
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

const works = {
  stop: { icon: OctagonX, label: 'Stop', operation: 'runs.stop' },
  retry: { icon: RotateCcw, label: 'Retry', operation: 'runs.retry' },
  discard: { icon: Trash2, label: 'Delete', operation: 'runs.delete' },
} as const;

/** Something that can be done with as many of the selected runs as it applies to. */
interface WorkItem {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly operation: 'runs.stop' | 'runs.retry' | 'runs.delete';
  readonly count: number;
  readonly onPress: () => void;
}

function Works({ works: items, isBusy }: { readonly works: readonly WorkItem[]; readonly isBusy: boolean }) {
  return items.map((item) => <Work key={item.label} {...item} isBusy={isBusy} />);
}

function Work({ icon, label, count, operation, isBusy, onPress }: WorkItem & { readonly isBusy: boolean }) {
  const may = useMay(operation);
  return (
    <Button
      size="small"
      icon={icon}
      look={operation === 'runs.delete' ? 'danger' : 'secondary'}
      isDisabled={count === 0 || isBusy}
      unavailable={may.reason}
      onPress={onPress}
    >
      {count === 0 ? label : `${label} ${count}`}
    </Button>
  );
}

interface QuestionProps {
  readonly ended: number;
  readonly active: number;
  readonly isPending: boolean;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
}

function DeleteQuestion({ ended, active, isPending, onSubmit, onClose }: QuestionProps) {
  const label = `Delete ${countThings(ended, 'run')}`;
  return (
    <FormDialog
      title={`${label}?`}
      submit={{ label, icon: Trash2, isDanger: true, isPending }}
      error={null}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <p>
        Their steps, logs and sub-runs go with them, for good.
        {active > 0 && ` ${countThings(active, 'selected run')} still active will be left alone.`}
      </p>
    </FormDialog>
  );
}
