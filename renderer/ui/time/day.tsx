import { useReading } from '../../app/clock.ts';
import { usePreferences } from '../../app/preferences.ts';
import { formatDay, formatFull, formatRelative, isNear } from '../../format/time.ts';

/** A moment that may lie years away: in words when it is near, else the day; date, time and zone on hover. */
export function Day({ iso }: { readonly iso: string }) {
  // Another zone or clock is seen at once.
  usePreferences();
  const words = useReading((now) => (isNear(iso, now) ? formatRelative(iso, now) : formatDay(iso)));
  return (
    <time dateTime={iso} title={formatFull(iso)}>
      {words}
    </time>
  );
}
