import type { DagDetailView } from '../../../core/contract/dags.ts';
import type { ScheduledTimeView } from '../../../core/contract/schedules.ts';
import { useNextFireTimes } from '../../api/workflow-queries.ts';
import { useNow } from '../../base/clock.ts';
import { describeCron, describeNoTimes } from '../../format/cron.ts';
import { formatElapsed, formatFull } from '../../format/time.ts';
import { Notice, QueryState } from '../../ui/state.tsx';
import table from '../../ui/list/list.module.css';
import { PausedNotice } from './paused-notice.tsx';
import styles from './schedules.module.css';
import { SuspendButton } from './suspend-button.tsx';

/** The schedule in words, its next times, and the switch that suspends it. */
export function ScheduleView({ dag }: { readonly dag: DagDetailView }) {
  const next = useNextFireTimes(dag.fileName);
  return (
    <div className={styles.view}>
      <PausedNotice />
      <div className={styles.head}>
        <ul className={styles.rules}>
          {(['start', 'stop', 'restart'] as const).flatMap((kind) =>
            dag.schedule[kind].map((expression) => (
              <li key={`${kind} ${expression}`}>
                <span className={styles.kind}>{kindLabels[kind]}</span>
                <span>{describeCron(expression)}</span>
                <code>{expression}</code>
              </li>
            )),
          )}
        </ul>
        <SuspendButton fileName={dag.fileName} name={dag.name} suspended={dag.suspended} />
      </div>
      {dag.suspended && (
        <Notice tone="info">This schedule is suspended. Runs won’t start until you resume it.</Notice>
      )}
      <QueryState query={next} what="The upcoming runs">
        {({ times }) =>
          times.length === 0 ? (
            <p className={styles.head}>{describeNoTimes(dag.schedule)}</p>
          ) : (
            <NextTimes times={times} />
          )
        }
      </QueryState>
    </div>
  );
}

const kindLabels = { start: 'Start', stop: 'Stop', restart: 'Restart' } as const;

const changeLabel = {
  shifted: 'Shifted by daylight saving time',
  repeated: 'First of two occurrences when clocks are set back',
} as const;

function NextTimes({ times }: { readonly times: readonly ScheduledTimeView[] }) {
  const now = useNow();
  const hasNotes = times.some(({ change }) => change !== undefined);
  return (
    <table className={`${table.table} ${styles.scheduleTimes}`}>
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Action</th>
          <th scope="col">In</th>
          {hasNotes && <th scope="col">Note</th>}
        </tr>
      </thead>
      <tbody>
        {times.map(({ at, kind, change }) => (
          <tr key={`${at} ${kind}`}>
            <td>{formatFull(at)}</td>
            <td>{kindLabels[kind]}</td>
            <td>{formatElapsed(Date.parse(at) - now)}</td>
            {hasNotes && <td>{change && changeLabel[change]}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
