import { useReading } from '../../app/clock.ts';
import { usePreferences } from '../../app/preferences.ts';
import { formatFull, formatRelative } from '../../format/time.ts';
import styles from './time.module.css';

/** A moment in words, with date, time and zone on hover. */
export function RelativeTime({ iso }: { readonly iso: string }) {
  // Another zone or clock is seen at once.
  usePreferences();
  const words = useReading((now) => formatRelative(iso, now));
  return (
    <time dateTime={iso} title={formatFull(iso)} className={styles.relative}>
      {words}
    </time>
  );
}
