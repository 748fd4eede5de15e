import { Plus } from 'lucide-react';
import type { Schedule } from '../../../core/model/workflow.ts';
import { listNextTimes } from '../../../core/spec/schedule/next-run.ts';
import type { JsonValue } from '../../../core/base/json.ts';
import type { AuthoredPath } from '../../../core/edit/outline.ts';
import { scheduleKinds, type ScheduleKind } from '../../../core/model/fire-time.ts';
import { useNow } from '../../base/clock.ts';
import { usePreferences } from '../../base/preferences.ts';
import { SchedulerWarning } from '../../features/schedules/scheduler-notice.tsx';
import { explainNoTimes, formatCron } from '../../format/time.ts';
import { Button } from '../../ui/button.tsx';
import { useSessionView } from '../session/panel-state.ts';
import { findInputFieldDescription } from '../session/node-selection.ts';
import { getValueText, useForm, type WidgetProps } from './form-context.ts';
import styles from './inspector.module.css';
import { Cell, Entries, Entry } from './entry.tsx';
import { listItemMoves } from './entry-rows.ts';

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
function NextRuns() {
  const form = useForm();
  const schedule = useSessionView(
    ({ analysis }) => analysis && findInputFieldDescription(analysis, form.document)?.schedule,
  );
  const isTwelve = usePreferences(({ clock }) => clock === '12');
  // Rounded to minutes, which is precise enough and keeps the list stable.
  const now = Math.floor(useNow() / 60_000) * 60_000;
  if (schedule === undefined) return <p className={styles.note}>Fix the errors to see upcoming runs.</p>;
  const zone = getValueText(form.getState(['timezone'])?.value) || undefined;
  const times = nextTimes({ ...schedule, stop: [] }, now, zone);
  const [stop] = nextTimes({ ...schedule, start: [], restart: [] }, now, zone);
  const format = new Intl.DateTimeFormat('en-GB', {
    ...{ weekday: 'short', year: 'numeric', month: 'short', day: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit', timeZoneName: 'short', timeZone: zone },
    hourCycle: isTwelve ? 'h12' : 'h23',
  });
  return (
    <div className={styles.times}>
      <span className={styles.label}>Upcoming runs</span>
      <SchedulerWarning />
      {times.length === 0 && <span>{explainNoTimes(schedule)}</span>}
      {times.map(({ at, kind, change }) => (
        <span key={`${at} ${kind}`}>
          {format.format(at)} {words[kind]} {change && '(clock change)'}
        </span>
      ))}
      {stop && <span>Next stop: {format.format(stop.at)}</span>}
    </div>
  );
}

const scheduleWords = { start: 'Start', stop: 'Stop', restart: 'Restart' } as const;
const examples = { start: '0 6 * * *', stop: '0 18 * * *', restart: '0 0 * * *' } as const;

/** Start, stop and restart times: each expression with its meaning, and the next runs. */
export function ScheduleWidget({ path, state }: WidgetProps) {
  const form = useForm();
  const value = state?.value ?? null;
  const map = value !== null && typeof value === 'object' && !Array.isArray(value) ? value : undefined;
  const add = (kind: ScheduleKind): void => {
    const now = map ? (map[kind] ?? null) : kind === 'start' ? value : null;
    const at = map ? [...path, kind] : path;
    const item = examples[kind];
    if (Array.isArray(now)) return void form.set([...at, now.length], { value: item });
    if (now !== null) return void form.set(at, { value: [now, item] });
    if (map || kind === 'start') return void form.set(at, { value: item });
    void form.set(path, { value: value === null ? { [kind]: item } : { start: value, [kind]: item } });
  };
  return (
    <>
      {scheduleKinds.map((kind) => {
        const at = map ? [...path, kind] : path;
        const current = map ? (map[kind] ?? null) : kind === 'start' ? value : null;
        return current === null ? null : (
          <Expressions
            key={kind}
            kind={kind}
            value={current}
            path={at}
            whole={path}
            isOnly={map === undefined || Object.keys(map).length === 1}
          />
        );
      })}
      <div className={styles.actions}>
        {scheduleKinds.map((kind) => (
          <Button key={kind} size="small" variant="quiet" icon={Plus} onPress={() => add(kind)}>
            {`Add ${scheduleWords[kind].toLowerCase()} time`}
          </Button>
        ))}
      </div>
      {state && <NextRuns />}
    </>
  );
}

interface ExpressionsProps {
  readonly kind: ScheduleKind;
  readonly value: JsonValue;
  readonly path: AuthoredPath;
  /** Path of the whole schedule, which is removed with its last expression. */
  readonly whole: AuthoredPath;
  readonly isOnly: boolean;
}

function Expressions({ kind, value, path, whole, isOnly }: ExpressionsProps) {
  const form = useForm();
  const list = Array.isArray(value) ? value : [value];
  const entries = list.map((item, index) => {
    const at = Array.isArray(value) ? [...path, index] : path;
    const text = getValueText(item);
    const removed = list.length > 1 ? at : isOnly ? whole : path;
    const name = `${scheduleWords[kind].toLowerCase()} ${index + 1}`;
    return (
      <Entry
        key={index}
        label={name}
        index={index}
        moves={Array.isArray(value) ? listItemMoves(form, path, index, list.length) : {}}
        removed={removed}
        at={at}
        head={
          <>
            <span className={styles.kind}>{scheduleWords[kind]}</span>
            <Cell
              label={`${scheduleWords[kind]} ${index + 1}`}
              value={text}
              at={at}
              onCommit={(typed) => form.set(at, { value: typed })}
            />
          </>
        }
      >
        {formatCron(text) !== text && <p className={styles.words}>{formatCron(text)}</p>}
      </Entry>
    );
  });
  return <Entries label={`${scheduleWords[kind]} schedule`}>{entries}</Entries>;
}
