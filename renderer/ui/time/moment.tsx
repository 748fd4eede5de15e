import { useTimeDerived } from '../../app/clock.ts';
import { usePreferences } from '../../app/preferences.ts';
import { formatDay, formatDayAndTime, formatDistance, formatFull, isNear } from '../../format/time.ts';
import styles from './time.module.css';

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
