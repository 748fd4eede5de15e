import { PenLine, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { DagDetailView } from '../../../core/contract/dags.ts';
import type { ScheduledTimeView } from '../../../core/contract/schedules.ts';
import type { StartTime } from '../../../core/edit/steps/set-start-time.ts';
import { useNextFireTimes } from '../../api/workflow-queries.ts';
import { useCan } from '../../api/session-queries.ts';
import { useNow } from '../../base/clock.ts';
import { formatCron, explainNoTimes } from '../../format/cron.ts';
import { formatFull, formatElapsed, readTimeZone } from '../../format/time.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Notice, QueryState } from '../../ui/state.tsx';
import table from '../../ui/list/list.module.css';
import { formatClockChange } from './next-five.tsx';
import { PausedNotice } from './paused-notice.tsx';
import { ScheduleForm } from './schedule-form.tsx';
import { SchedulerNotice } from './scheduler-notice.tsx';
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
            {may.allowed ? <StartTimes dag={dag} zone={zone} /> : <ReadOnlyTimes dag={dag} />}
            {dag.suspended && (
              <Notice tone="info">This schedule is suspended. Runs won’t start until you resume it.</Notice>
            )}
            {hasTimes && times.length === 0 && <p className={styles.head}>{explainNoTimes(dag.schedule)}</p>}
            {times.length > 0 && <NextTimes times={times} zone={zone} />}
          </>
        )}
      </QueryState>
    </div>
  );
}

const kindLabels = { start: 'Start', stop: 'Stop', restart: 'Restart' } as const;

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

interface OtherRulesProps {
  readonly schedule: DagDetailView['schedule'];
  readonly kinds: readonly ('start' | 'stop' | 'restart')[];
}

const OtherRules = ({ schedule, kinds }: OtherRulesProps) =>
  kinds.flatMap((kind) =>
    schedule[kind].map((expression) => (
      <li key={`${kind} ${expression}`}>
        <span className={styles.kind}>{kindLabels[kind]}</span>
        <span>{formatCron(expression)}</span>
        <code>{expression}</code>
      </li>
    )),
  );

/** Splits an expression of the API into fields and time zone. */
function toStartTime(expression: string): StartTime {
  const [, zone, fields] = /^CRON_TZ=(\S+) (.*)$/s.exec(expression) ?? [];
  return zone === undefined ? { expression } : { expression: fields!, zone };
}

/** The time zone of the user, as the browser or the settings name it. */
const readUserZone = (): string => readTimeZone() ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;

interface StartTimeItemProps {
  readonly expression: string;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

function StartTimeItem({ expression, onEdit, onRemove }: StartTimeItemProps) {
  const words = formatCron(expression);
  return (
    <li>
      <span>{words}</span>
      <code>{expression}</code>
      <span className={styles.ruleActions}>
        <IconButton size="small" icon={PenLine} label={`Edit ${words}`} onPress={onEdit} />
        <IconButton size="small" icon={Trash2} label={`Remove ${words}`} onPress={onRemove} />
      </span>
    </li>
  );
}

/** The start times with a form for one of them; without any, the form for the first one is open. */
function StartTimes({ dag, zone }: { readonly dag: DagDetailView; readonly zone: string }) {
  const { start } = dag.schedule;
  const [edited, setEdited] = useState<number>();
  const save = useSaveSchedule(dag);
  const isEmpty = Object.values(dag.schedule).every((times) => times.length === 0);
  const open = edited ?? (isEmpty ? 0 : undefined);
  const close = (): void => {
    save.reset();
    setEdited(undefined);
  };
  return (
    <div className={styles.head}>
      <div className={styles.editor}>
        {isEmpty && <h2>Run this workflow on a schedule</h2>}
        <ul className={styles.rules}>
          {start.map((expression, index) => (
            <StartTimeItem
              key={expression}
              expression={expression}
              onEdit={() => setEdited(index)}
              onRemove={() => save.mutate({ index })}
            />
          ))}
          <OtherRules schedule={dag.schedule} kinds={['stop', 'restart']} />
        </ul>
        {open !== undefined && (
          <ScheduleForm
            key={open}
            {...(start[open] !== undefined && { initial: toStartTime(start[open]) })}
            defaultZone={zone}
            userZone={readUserZone()}
            submitLabel={open < start.length ? 'Save' : 'Add schedule'}
            isPending={save.isPending}
            error={save.error}
            onSubmit={(time) => save.mutate({ index: open, time }, { onSuccess: close })}
            {...(!isEmpty && { onCancel: close })}
          />
        )}
        {open === undefined && save.error !== null && <Notice tone="error">{save.error.message}</Notice>}
        {open === undefined && (
          <div>
            <Button size="small" icon={Plus} onPress={() => setEdited(start.length)}>
              Add time
            </Button>
          </div>
        )}
      </div>
      {!isEmpty && <SuspendButton fileName={dag.fileName} name={dag.name} suspended={dag.suspended} />}
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
