import type { DagDetailView } from '../../../core/contract/dags.ts';
import type { ScheduledTimeView } from '../../../core/contract/schedules.ts';
import { useNextFireTimes } from '../../api/workflow-queries.ts';
import { useCan } from '../../api/session-queries.ts';
import { useNow } from '../../base/clock.ts';
import { explainNoTimes, formatFull, formatElapsed } from '../../format/time.ts';
import { Notice, QueryState } from '../../ui/state.tsx';
import table from '../../ui/list/list.module.css';
import { DagExpectations } from '../expectations/expectations.tsx';
import { formatClockChange } from './next-five.tsx';
import { PausedNotice } from './paused-notice.tsx';
import { SchedulerNotice } from './scheduler-notice.tsx';
import { kindLabels, OtherRules, StartTimes, type ScheduleSaver } from './start-times.tsx';
import { SuspendButton } from './suspend-button.tsx';
import { useSaveSchedule } from './use-save-schedule.ts';
import styles from './schedules.module.css';

/** Schedule of a workflow: its start times, which can be changed here, the next times, and the switch that suspends it. */
export function ScheduleView({ dag }: { readonly dag: DagDetailView }) {
  const next = useNextFireTimes(dag.fileName);
  const may = useCan('dags.updateSpec');
  const hasTimes = Object.values(dag.schedule).some((times) => times.length > 0);
  return (
    <div className={styles.view}>
      <SchedulerNotice />
      <PausedNotice />
      <QueryState query={next} what="The schedule">
        {({ times, zone }) => (
          <>
            {may.allowed ? <EditableTimes dag={dag} zone={zone} /> : <ReadOnlyTimes dag={dag} />}
            {dag.suspended && (
              <Notice tone="info">This schedule is suspended. Runs won’t start until you resume it.</Notice>
            )}
            <DagExpectations fileName={dag.fileName} name={dag.name} />
            {hasTimes && times.length === 0 && <p className={styles.head}>{explainNoTimes(dag.schedule)}</p>}
            {times.length > 0 && <NextTimes times={times} zone={zone} />}
          </>
        )}
      </QueryState>
    </div>
  );
}

function ReadOnlyTimes({ dag }: { readonly dag: DagDetailView }) {
  const { start, stop, restart } = dag.schedule;
  const rules = [start, stop, restart].flat();
  return (
    <div className={styles.head}>
      {rules.length === 0 ? (
        <p>No schedule. This workflow only runs manually or through the API.</p>
      ) : (
        <ul className={styles.rules}>
          <OtherRules schedule={dag.schedule} kinds={['start', 'stop', 'restart']} />
        </ul>
      )}
      {rules.length > 0 && (
        <SuspendButton fileName={dag.fileName} name={dag.name} suspended={dag.suspended} />
      )}
    </div>
  );
}

function EditableTimes({ dag, zone }: { readonly dag: DagDetailView; readonly zone: string }) {
  const { mutate, isPending, error, reset } = useSaveSchedule(dag);
  const saver: ScheduleSaver = {
    ...{ isPending, error, reset },
    save: (change, onSaved) => mutate(change, { onSuccess: () => onSaved?.() }),
  };
  const hasTimes = Object.values(dag.schedule).some((times) => times.length > 0);
  return (
    <div className={styles.head}>
      <StartTimes schedule={dag.schedule} zone={zone} saver={saver} />
      {hasTimes && <SuspendButton fileName={dag.fileName} name={dag.name} suspended={dag.suspended} />}
    </div>
  );
}

interface NextTimesProps {
  readonly times: readonly ScheduledTimeView[];
  readonly zone: string;
}

function NextTimes({ times, zone }: NextTimesProps) {
  const now = useNow();
  const noted = times.map(({ at, kind, change }) => ({
    at,
    kind,
    note: formatClockChange({ at: Date.parse(at), ...(change && { change }) }, zone),
  }));
  const hasNotes = noted.some(({ note }) => note !== undefined);
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
        {noted.map(({ at, kind, note }) => (
          <tr key={`${at} ${kind}`}>
            <td>{formatFull(at)}</td>
            <td>{kindLabels[kind]}</td>
            <td>{formatElapsed(Date.parse(at) - now)}</td>
            {hasNotes && <td>{note}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
