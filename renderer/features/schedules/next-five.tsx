import { useMemo } from 'react';
import { listNextTimes, type ScheduledTime } from '../../../core/spec/schedule/next-run.ts';
import { findTimeZone } from '../../../core/spec/schedule/time-zone.ts';
import { useNow } from '../../base/clock.ts';
import { usePreferences } from '../../base/preferences.ts';
import { formatDistance } from '../../format/time.ts';
import styles from './schedule-form.module.css';

const count = 5;
const dayMs = 86_400_000;

/** Describes the daylight saving change on the day of a time; undefined on other days. */
export function formatClockChange(
  { at, change }: Pick<ScheduledTime, 'at' | 'change'>,
  zoneName: string | undefined,
): string | undefined {
  const zone = findTimeZone(zoneName);
  if (change === 'shifted') return 'Clocks go forward: shifted by the change';
  if (change === 'repeated') return 'Clocks go back: only the first of two';
  const midnight = Math.floor((at + zone.offsetAt(at)) / dayMs) * dayMs;
  const getStart = (wall: number): number => wall - zone.offsetAt(wall - zone.offsetAt(at));
  const clock = zone.nextChange(getStart(midnight) - 1, getStart(midnight + dayMs) - 1);
  if (clock === undefined) return undefined;
  return clock.after > clock.before ? 'Clocks go forward on this day' : 'Clocks go back on this day';
}

interface NextFiveProps {
  /** Valid expressions. */
  readonly start: readonly string[];
  /** Time zone of expressions that name none. */
  readonly zone: string;
  /** The expressions in words, as a title. */
  readonly words: string;
}

/** The next five times of a schedule in its time zone; days with a daylight saving change are marked. */
export function NextFive({ start, zone, words }: NextFiveProps) {
  const clock = usePreferences((preferences) => preferences.clock);
  // Rounded to minutes, which keeps the list stable.
  const now = Math.floor(useNow() / 60_000) * 60_000;
  const times = useMemo(
    () => listNextTimes({ start: [...start], stop: [], restart: [] }, now, zone, count),
    [start, zone, now],
  );
  const format = useMemo(
    () =>
      new Intl.DateTimeFormat('en-GB', {
        ...{ weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
        ...{ timeZone: zone, hourCycle: clock === '12' ? 'h12' : 'h23' },
      }),
    [zone, clock],
  );
  return (
    <div className={styles.next}>
      <p className={styles.words}>
        {words} <span>{zone.replaceAll('_', ' ')}</span>
      </p>
      {times.length === 0 ? (
        <p className={styles.problem}>This time is in the past or never occurs.</p>
      ) : (
        <ol className={styles.times} aria-label="Next runs">
          {times.map((time) => {
            const mark = formatClockChange(time, zone);
            return (
              <li key={time.at}>
                <time dateTime={new Date(time.at).toISOString()}>{format.format(time.at)}</time>
                <span>{formatDistance(new Date(time.at).toISOString(), now)}</span>
                {mark !== undefined && <strong>{mark}</strong>}
              </li>
            );
          })}
        </ol>
      )}
    </div>
  );
}
