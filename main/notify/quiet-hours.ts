import type { DesktopSettings } from '../../core/contract/desktop/settings.ts';

/** Quiet hours in the settings. */
type QuietHours = Pick<DesktopSettings['notifications'], 'quiet' | 'quietFrom' | 'quietTo' | 'quietZone'>;

/**
 * Whether an instant is in the quiet hours. They may span midnight; equal ends mean the whole day.
 * @param now epoch milliseconds
 * @param zone IANA time zone used when the settings have none
 */
export function isQuietTime(hours: QuietHours, now: number, zone: string): boolean {
  if (!hours.quiet) return false;
  const time = wallTime(now, hours.quietZone === '' ? zone : hours.quietZone);
  const { quietFrom: from, quietTo: to } = hours;
  return from < to ? from <= time && time < to : time >= from || time < to;
}

/** Returns `HH:MM` in a time zone; in the local one if the zone is invalid. */
function wallTime(now: number, zone: string): string {
  const read = (timeZone: string | undefined): string =>
    new Intl.DateTimeFormat('en-GB', {
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZone,
    }).format(now);
  try {
    return read(zone);
  } catch {
    return read(undefined);
  }
}
