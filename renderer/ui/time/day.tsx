import { useTimeDerived } from '../../app/clock.ts';
import { usePreferences } from '../../app/preferences.ts';
import { formatDay, formatFull, formatRelative, isNear } from '../../format/time.ts';

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
