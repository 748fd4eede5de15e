import { Link, useLocation } from 'wouter';
import { memo } from 'react';
import type { RunSummaryView } from '../../../core/contract/run-views.ts';
import type { Parameter } from '../../../core/model/workflow.ts';
import { paths } from '../../app/paths.ts';
import { shortenRunId } from '../../format/run-id.ts';
import { triggerWords } from '../../format/trigger.ts';
import { pressRow } from '../../ui/layout/row-press.ts';
import table from '../../ui/layout/table.module.css';
import { StatusBadge } from '../../ui/status/status-badge.tsx';
import { Duration } from '../../ui/time/duration.tsx';
import { RelativeTime } from '../../ui/time/relative-time.tsx';
import styles from './runs.module.css';

interface RunTableProps {
  readonly runs: readonly RunSummaryView[];
  /** Left out where all runs are of one workflow. */
  readonly withName?: boolean;
  /** Shown after the last row. */
  readonly foot?: React.ReactNode;
}

/** Runs, newest first. */
export function RunTable({ runs, withName = true, foot }: RunTableProps) {
  return (
    <div className={table.scroll}>
      <table className={`${table.table} ${styles.table}`}>
        <thead>
          <tr>
            <th scope="col" className={styles.statusColumn}>
              Status
            </th>
            {withName && <th scope="col">Workflow</th>}
            <th scope="col">Run</th>
            <th scope="col">Trigger</th>
            <th scope="col">Started</th>
            <th scope="col" className={table.number}>
              Duration
            </th>
            <th scope="col" className={styles.wide}>
              Parameters or reason
            </th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <RunRow key={`${run.name}/${run.dagRunId}`} run={run} withName={withName} />
          ))}
        </tbody>
      </table>
      {foot}
    </div>
  );
}

const RunRow = memo(function RunRow({ run, withName }: { run: RunSummaryView; withName: boolean }) {
  const [, navigate] = useLocation();
  const href = paths.run(run.name, run.dagRunId);
  return (
    <tr className={table.row} {...pressRow(() => navigate(href))}>
      <td>
        <StatusBadge status={run.status} />
      </td>
      {withName && (
        <td>
          <span className={styles.name}>{run.name}</span>
        </td>
      )}
      <td>
        <Link href={href} className={`${table.rowLink} ${styles.id}`} title={run.dagRunId}>
          {shortenRunId(run.dagRunId)}
        </Link>
      </td>
      <td className={table.muted}>{triggerWords[run.trigger]}</td>
      <td className={table.muted}>
        <RelativeTime iso={run.startedAt ?? run.createdAt} />
      </td>
      <td className={table.number}>
        <Duration startedAt={run.startedAt} finishedAt={run.finishedAt} />
      </td>
      <td className={styles.reasonCell}>
        <Reason run={run} />
      </td>
    </tr>
  );
});

function Reason({ run }: { readonly run: RunSummaryView }) {
  if (run.error !== undefined && run.status !== 'succeeded') {
    return (
      <span className={styles.reason} data-failed={run.status === 'failed' || undefined} title={run.error}>
        {run.error}
      </span>
    );
  }
  const params = listParams(run.params);
  return (
    <span className={`${styles.reason} ${table.code}`} title={params}>
      {params}
    </span>
  );
}

/** Parameters on one line, as they are given on the command line. */
const listParams = (params: readonly Parameter[]): string =>
  params.map(({ name, value }) => (/^\d+$/.test(name) ? value : `${name}=${value}`)).join('  ');
