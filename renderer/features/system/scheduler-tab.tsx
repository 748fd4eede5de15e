import { CalendarX2 } from 'lucide-react';
import { Link } from 'wouter';
import type { OperationOutput } from '../../../core/contract/operations.ts';
import { useDags } from '../../api/workflow-queries.ts';
import { useSystemChanges } from '../../api/use-system-changes.ts';
import { schedulersKey, useSchedulers } from '../../api/system-queries.ts';
import { paths } from '../../navigation/address.ts';
import { formatFull } from '../../format/time.ts';
import { EmptyState, QueryState } from '../../ui/state.tsx';
import table from '../../ui/list/list.module.css';
import { RelativeTime } from '../../ui/time.tsx';
import { SuspendToggle } from '../schedules/suspend-button.tsx';
import styles from './system.module.css';

type Answer = OperationOutput<'services.scheduler'>;

const words = {
  active: 'Active',
  inactive: 'Standby',
  unknown: 'No heartbeat for 30 s',
} as const;

/** The scheduler: its processes, suspended schedules, and notes. */
export function SchedulerTab() {
  const schedulers = useSchedulers();
  useSystemChanges('schedulers', schedulersKey);
  return (
    <div className={styles.scroll}>
      <QueryState query={schedulers} what="The schedulers">
        {({ schedulers: all, notes }) => (
          <>
            <Schedulers schedulers={all} />
            <Suspended />
            <Notes notes={notes} />
          </>
        )}
      </QueryState>
    </div>
  );
}

function Schedulers({ schedulers }: Pick<Answer, 'schedulers'>) {
  if (schedulers.length === 0)
    return (
      <EmptyState icon={CalendarX2} title="No scheduler running">
        <p>
          Start the desktop app, <code>engine scheduler</code> or <code>engine start-all</code>.
        </p>
      </EmptyState>
    );
  return (
    <section className={styles.block} aria-label="Schedulers">
      <div className={styles.blockHead}>
        <h2>Schedulers</h2>
      </div>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">State</th>
            <th scope="col">Host</th>
            <th scope="col">Process</th>
            <th scope="col">Health check</th>
            <th scope="col">Since</th>
          </tr>
        </thead>
        <tbody>
          {schedulers.map(({ instanceId, status, host, pid, port, startedAt }) => (
            <tr key={instanceId}>
              <td>
                <span className={styles.state} data-state={status} />
                {words[status]}
              </td>
              <td>{host}</td>
              <td>{pid}</td>
              <td>{port === 0 ? <span className={table.faint}>none</span> : `port ${port}`}</td>
              <td>
                <RelativeTime iso={startedAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Suspended() {
  const suspended = useDags().data?.filter((dag) => dag.suspended) ?? [];
  if (suspended.length === 0) return null;
  return (
    <section className={styles.block} aria-label="Suspended schedules">
      <div className={styles.blockHead}>
        <h2>Suspended schedules</h2>
      </div>
      <ul className={styles.lines}>
        {suspended.map(({ fileName, name }) => (
          <li key={fileName}>
            <Link href={paths.workflow(fileName)}>{name}</Link>
            <SuspendToggle fileName={fileName} name={name} suspended />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Notes({ notes }: Pick<Answer, 'notes'>) {
  return (
    <section className={styles.block} aria-label="Notes">
      <div className={styles.blockHead}>
        <h2>Scheduler notes</h2>
      </div>
      {notes.length === 0 ? (
        <p className={styles.quiet}>No missed runs, failed starts or clock changes</p>
      ) : (
        <ul className={styles.lines}>
          {notes.map(({ at, fileName, message }, index) => (
            // Notes have no id; the list is always loaded as a whole.
            <li key={`${at} ${index}`}>
              <time dateTime={at}>{formatFull(at)}</time>
              <span>
                {fileName !== undefined && <Link href={paths.workflow(fileName)}>{fileName}</Link>} {message}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
