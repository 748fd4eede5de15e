import { useNow } from '../../app/clock.ts';
import { usePreferences } from '../../app/preferences.ts';
import { formatFull, formatRelative } from '../../format/time.ts';

/** A moment in words, with date, time and zone on hover. */
export function RelativeTime({ iso }: { readonly iso: string }) {
  const now = useNow();
  // Another zone or clock is seen at once.
  usePreferences();
  return (
    <time dateTime={iso} title={formatFull(iso)}>
      {formatRelative(iso, now)}
    </time>
  );
}
