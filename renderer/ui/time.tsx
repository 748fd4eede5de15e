import { useTimeDerived, useElapsed } from '../base/clock.ts';
import { usePreferences } from '../base/preferences.ts';
import {
  formatDay,
  formatFull,
  formatRelative,
  isNear,
  formatDuration,
  formatElapsed,
  getSpan,
  formatDayAndTime,
  formatDistance,
} from '../format/time.ts';
import styles from './state.module.css';

/** A moment that may be years away: relative if near, otherwise the date; full date, time and zone on hover. */
export function Day({ iso }: { readonly iso: string }) {
  // Rerenders when the time zone or format changes.
  usePreferences();
  const words = useTimeDerived((now) => (isNear(iso, now) ? formatRelative(iso, now) : formatDay(iso)));
  return (
    <time dateTime={iso} title={formatFull(iso)}>
      {words}
    </time>
  );
}

interface DurationProps {
  readonly startedAt: string | undefined;
  readonly finishedAt: string | undefined;
}

/** How long something took or, ticking, has been running. Renders nothing before it starts. */
export function Duration({ startedAt, finishedAt }: DurationProps) {
  const running = startedAt !== undefined && finishedAt === undefined;
  const elapsed = useElapsed(running ? Date.parse(startedAt) : undefined);
  if (startedAt === undefined) return null;
  const words = running ? formatElapsed(elapsed) : formatDuration(getSpan(startedAt, finishedAt, 0));
  return <span data-figures>{words}</span>;
}

/** A moment on two lines of a roomy row: relative and absolute. */
export function TimestampCell({ iso }: { readonly iso: string }) {
  // Rerenders when the time zone or format changes.
  usePreferences();
  const words = useTimeDerived((now) => formatDistance(iso, now));
  const date = useTimeDerived((now) => (isNear(iso, now) ? formatDayAndTime(iso) : formatDay(iso)));
  return (
    <time dateTime={iso} title={formatFull(iso)} className={styles.moment}>
      <span>{words}</span>
      <span className={styles.date}>{date}</span>
    </time>
  );
}

/** A relative time, with date, time and zone on hover. */
export function RelativeTime({ iso }: { readonly iso: string }) {
  // Rerenders when the time zone or format changes.
  usePreferences();
  const words = useTimeDerived((now) => formatRelative(iso, now));
  return (
    <time dateTime={iso} title={formatFull(iso)} className={styles.relative}>
      {words}
    </time>
  );
}
