import { Hand } from 'lucide-react';
import { useMemo } from 'react';
import { Link, useLocation } from 'wouter';
import type { RunSummaryView } from '../../../../core/contract/runs/run-views.ts';
import { useRunsAwaitingApproval } from '../../../api/queries/runs/approval-queries.ts';
import { paths } from '../../../app/paths.ts';
import { askingLabels } from '../../../format/asking.ts';
import { formatParam, pickParams } from '../../../format/params.ts';
import { shortenRunId, shortenRunIds } from '../../../format/run-id.ts';
import { describeOrigin } from '../../../format/trigger.ts';
import table from '../../../ui/list/table.module.css';
import type { Selection } from '../../../ui/list/use-selection.ts';
import { VirtualTable, type Column } from '../../../ui/list/virtual-table.tsx';
import { StatusBadge } from '../../../ui/status/status-badge.tsx';
import { Duration } from '../../../ui/time/duration.tsx';
import { RelativeTime } from '../../../ui/time/relative-time.tsx';
import styles from '../runs.module.css';

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
export const keyOfRun = ({ name, dagRunId }: { name: string; dagRunId: string }): string =>
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
      keyOf={keyOfRun}
      nameOf={({ name, dagRunId }) => `${name} ${shortenRunId(dagRunId)}`}
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
      {asking.has(keyOfRun(run)) && (
        <span className={styles.asks} title={askingLabels}>
          <Hand size={14} aria-hidden="true" />
          <span className="visually-hidden">{askingLabels}</span>
        </span>
      )}
    </span>
  ),
});

const columns: readonly Column<RunSummaryView>[] = [
  {
    id: 'name',
    header: 'Workflow',
    width: '17%',
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
      <span className={table.muted} title={describeOrigin(run)}>
        {describeOrigin(run)}
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
