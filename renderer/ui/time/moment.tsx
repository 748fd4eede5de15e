import { useReading } from '../../app/clock.ts';
import { usePreferences } from '../../app/preferences.ts';
import { formatDay, formatDayAndTime, formatDistance, formatFull, isNear } from '../../format/time.ts';
import styles from './time.module.css';

/** A moment on two lines of a roomy row: relative and absolute. */
export function Moment({ iso }: { readonly iso: string }) {
  // Rerenders when the time zone or format changes.
  usePreferences();
  const words = useReading((now) => formatDistance(iso, now));
  const date = useReading((now) => (isNear(iso, now) ? formatDayAndTime(iso) : formatDay(iso)));
  return (
    <time dateTime={iso} title={formatFull(iso)} className={styles.moment}>
      <span>{words}</span>
      <span className={styles.date}>{date}</span>
    </time>
  );
}
