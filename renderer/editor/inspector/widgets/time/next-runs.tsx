import type { Schedule } from '../../../../../core/model/workflow/workflow.ts';
import { listNextTimes } from '../../../../../core/schedule/next-run.ts';
import { useNow } from '../../../../app/clock.ts';
import { describeNoTimes } from '../../../../format/cron.ts';
import { useSessionView } from '../../../session/use-session.ts';
import { findInputFieldDescription } from '../../../session/node-selection.ts';
import { textOfValue, useForm } from '../../form/form-context.ts';
import styles from '../../inspector.module.css';

const count = 5;
const words = { start: '', stop: '', restart: 'restart' } as const;

/** Computes the next times of a schedule with the engine's rules; none for an invalid schedule. */
export function nextTimes(schedule: Schedule, after: number, zone?: string) {
  try {
    return listNextTimes(schedule, after, zone, count);
  } catch {
    return [];
  }
}

/** The next five start times and the next stop time, in the time zone of the workflow. */
export function NextRuns() {
  const form = useForm();
  const schedule = useSessionView(
    ({ analysis }) => analysis && findInputFieldDescription(analysis, form.document)?.schedule,
  );
  // Rounded to minutes, which is precise enough and keeps the list stable.
  const now = Math.floor(useNow() / 60_000) * 60_000;
  if (schedule === undefined) return <p className={styles.note}>Fix the errors to see the next runs.</p>;
  const zone = textOfValue(form.stateOf(['timezone'])?.value) || undefined;
  const times = nextTimes({ ...schedule, stop: [] }, now, zone);
  const [stop] = nextTimes({ ...schedule, start: [], restart: [] }, now, zone);
  const format = new Intl.DateTimeFormat(undefined, {
    ...{ weekday: 'short', year: 'numeric', month: 'short', day: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit', timeZoneName: 'short', timeZone: zone },
  });
  return (
    <div className={styles.times}>
      <span className={styles.label}>Next runs</span>
      {times.length === 0 && <span>{describeNoTimes(schedule)}</span>}
      {times.map(({ at, kind, change }) => (
        <span key={`${at} ${kind}`}>
          {format.format(at)} {words[kind]} {change && '(clock change)'}
        </span>
      ))}
      {stop && <span>Next stop: {format.format(stop.at)}</span>}
    </div>
  );
}
