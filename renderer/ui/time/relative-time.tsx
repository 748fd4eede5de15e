import { useTimeDerived } from '../../app/clock.ts';
import { usePreferences } from '../../app/preferences.ts';
import { formatFull, formatRelative } from '../../format/time.ts';
import styles from './time.module.css';

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
