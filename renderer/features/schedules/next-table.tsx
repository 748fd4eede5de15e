import { useMemo } from 'react';
import { Link, useLocation } from 'wouter';
import type { DagSummaryView } from '../../../core/contract/dags.ts';
import { engineStart } from '../../../core/model/workflow-rules.ts';
import { paths } from '../../navigation/address.ts';
import { formatCron, formatDayAndTime } from '../../format/time.ts';
import table from '../../ui/list/list.module.css';
import { VirtualTable, type Column } from '../../ui/list/virtual-table.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { MissedMark } from '../expectations/expectations.tsx';
import { RowSuspendButton, useSuspendSwitch, type SuspendSwitch } from './suspend-button.tsx';
import styles from './schedules.module.css';

/** All workflows with a schedule, by next time. */
export function NextTable({ dags }: { readonly dags: readonly DagSummaryView[] }) {
  const [, navigate] = useLocation();
  const suspend = useSuspendSwitch();
  const columns = useMemo(() => listColumns(suspend), [suspend]);
  const rows = useMemo(
    () => dags.toSorted((a, b) => ((a.nextRun ?? '~') < (b.nextRun ?? '~') ? -1 : 1)),
    [dags],
  );
  return (
    <section className={styles.next} aria-label="Upcoming runs">
      <VirtualTable
        label="Upcoming runs"
        rows={rows}
        columns={columns}
        getKey={({ fileName }) => fileName}
        getName={({ name }) => name}
        onOpen={({ fileName }) => navigate(paths.workflow(fileName))}
        minWidth={720}
      />
    </section>
  );
}

const formatSchedule = ({ schedule }: DagSummaryView): string =>
  (['start', 'stop', 'restart'] as const)
    .flatMap((kind) =>
      schedule[kind].map((expression) => (kind === 'start' ? '' : `${kind}: `) + formatCron(expression)),
    )
    .join('; ');

const listColumns = (suspend: SuspendSwitch): readonly Column<DagSummaryView>[] => [
  {
    id: 'name',
    header: 'Workflow',
    width: '24%',
    cell: ({ fileName, name, missed }) => (
      <>
        <Link href={paths.workflow(fileName)} className={table.rowLink}>
          {name}
        </Link>{' '}
        <MissedMark missed={missed} />
      </>
    ),
  },
  {
    id: 'when',
    header: 'Schedule',
    cell: (dag) => <span title={formatSchedule(dag)}>{formatSchedule(dag)}</span>,
  },
  {
    id: 'next',
    header: 'Next run',
    width: '230px',
    cell: ({ nextRun, suspended, schedule }) =>
      nextRun === undefined ? (
        <span className={table.faint}>
          {suspended ? 'suspended' : schedule.start.includes(engineStart) ? 'at engine start' : 'none'}
        </span>
      ) : (
        <>
          {formatDayAndTime(nextRun)}{' '}
          <span className={table.faint}>
            <RelativeTime iso={nextRun} />
          </span>
        </>
      ),
  },
  {
    id: 'suspend',
    header: <span className="visually-hidden">Enabled</span>,
    width: '64px',
    isNumber: true,
    cell: ({ fileName, name, suspended }) => (
      <RowSuspendButton fileName={fileName} name={name} suspended={suspended} by={suspend} />
    ),
  },
];
