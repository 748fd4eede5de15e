import {
  AlarmClock,
  Hand,
  Columns2,
  OctagonX,
  PencilLine,
  RotateCcw,
  StickyNote,
  Trash2,
} from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { RunSummaryView } from '../../../core/contract/run-views.ts';
import { pluralize } from '../../../core/base/text.ts';
import { isFinal } from '../../../core/model/run.ts';
import { useRunsAwaitingApproval } from '../../api/approval-queries.ts';
import { paths } from '../../navigation/address.ts';
import { askingLabels, formatParam, pickParams, shortenRunId, shortenRunIds } from '../../format/values.ts';
import { formatOrigin } from '../../format/labels.ts';
import table from '../../ui/list/list.module.css';
import type { Selection } from '../../ui/list/row-state.ts';
import { VirtualTable, type Column } from '../../ui/list/virtual-table.tsx';
import { StatusBadge } from '../../ui/status.tsx';
import { missedLabels } from '../expectations/expectations.tsx';
import { Duration, RelativeTime } from '../../ui/time.tsx';
import { useBridge } from '../../api/bridge.ts';
import { Button } from '../../ui/button.tsx';
import { BulkActions, type BulkAction, BulkBar, useBulk } from '../../ui/list/bulk.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import styles from './runs.module.css';

interface RunTableProps {
  readonly runs: readonly RunSummaryView[];
  /** False where all runs are of one workflow. */
  readonly withName?: boolean;
  readonly selection?: Selection;
  /** Shown after the last row. */
  readonly foot?: React.ReactNode;
}

/** Number of parameters shown in a row. */
const maxParams = 3;

/** Returns the unique key of a run. */
export const getRunKey = ({ name, dagRunId }: { name: string; dagRunId: string }): string =>
  `${name}/${dagRunId}`;

/** Runs, newest first. */
export function RunTable({ runs, withName = true, selection, foot }: RunTableProps) {
  const [, navigate] = useLocation();
  const asking = useRunsAwaitingApproval();
  const shown = useMemo(
    () => [statusColumn(asking), ...columns.filter(({ id }) => withName || id !== 'name')],
    [withName, asking],
  );
  return (
    <VirtualTable
      label="Runs"
      rows={runs}
      columns={shown}
      getKey={getRunKey}
      getName={({ name, dagRunId }) => `${name} ${shortenRunId(dagRunId)}`}
      onOpen={({ name, dagRunId }) => navigate(paths.run(name, dagRunId))}
      {...(selection && { selection })}
      minWidth={900}
      foot={foot}
    />
  );
}

/** @param asking keys of the runs that wait for approval */
const statusColumn = (asking: ReadonlySet<string>): Column<RunSummaryView> => ({
  id: 'status',
  header: 'Status',
  width: '168px',
  cell: (run) => (
    <span className={styles.status}>
      <StatusBadge status={run.status} />
      {asking.has(getRunKey(run)) && (
        <span className={styles.asks} title={askingLabels}>
          <Hand size={14} aria-hidden="true" />
          <span className="visually-hidden">{askingLabels}</span>
        </span>
      )}
      {run.missed?.map(({ kind, message }) => (
        <span key={kind} className={styles.missed} title={message}>
          <AlarmClock size={14} aria-hidden="true" />
          <span className="visually-hidden">{missedLabels[kind]}</span>
        </span>
      ))}
      {run.unsaved && (
        <span className={styles.note} title="The workflow had unsaved changes in the editor">
          <PencilLine size={14} aria-hidden="true" />
          <span className="visually-hidden">Unsaved changes</span>
        </span>
      )}
      {run.noteExcerpt !== undefined && (
        <span className={styles.note} title={run.noteExcerpt}>
          <StickyNote size={14} aria-hidden="true" />
          <span className="visually-hidden">Has a note</span>
        </span>
      )}
    </span>
  ),
});

const columns: readonly Column<RunSummaryView>[] = [
  {
    id: 'name',
    header: 'Workflow',
    // Names come first; the last column takes the rest.
    width: 'clamp(180px, 20%, 420px)',
    cell: ({ name }) => <span className={styles.name}>{name}</span>,
  },
  {
    id: 'run',
    header: 'Run',
    width: '136px',
    cell: ({ name, dagRunId }) => (
      <Link href={paths.run(name, dagRunId)} className={`${table.rowLink} ${styles.id}`} title={dagRunId}>
        {shortenRunId(dagRunId)}
      </Link>
    ),
  },
  {
    id: 'trigger',
    header: 'Trigger',
    width: '132px',
    cell: (run) => (
      <span className={table.muted} title={formatOrigin(run)}>
        {formatOrigin(run)}
      </span>
    ),
  },
  {
    id: 'started',
    header: 'Started',
    width: '116px',
    cell: ({ startedAt, createdAt }) => (
      <span className={table.muted}>
        <RelativeTime iso={startedAt ?? createdAt} />
      </span>
    ),
  },
  {
    id: 'duration',
    header: 'Duration',
    width: '96px',
    isNumber: true,
    cell: ({ startedAt, finishedAt }) => <Duration startedAt={startedAt} finishedAt={finishedAt} />,
  },
  { id: 'reason', header: 'Parameters or error', cell: (run) => <Reason run={run} /> },
];

function Reason({ run }: { readonly run: RunSummaryView }) {
  if (run.error !== undefined && run.status !== 'succeeded') {
    return (
      <span
        className={styles.reason}
        data-failed={run.status === 'failed' || undefined}
        dir="auto"
        title={run.error}
      >
        {shortenRunIds(run.error)}
      </span>
    );
  }
  const { shown, more } = pickParams(run.params, maxParams);
  return (
    <span className={styles.params} title={run.params.map(formatParam).join('\n')}>
      <span className={`${styles.reason} ${table.code}`} dir="auto">
        {shown.map(formatParam).join('  ')}
      </span>
      {more > 0 && <span className={table.faint}>+{more}</span>}
    </span>
  );
}

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
