import type { DesktopSettings } from '../../core/contract/desktop/settings.ts';

/** Quiet hours of the settings. */
type QuietHours = Pick<DesktopSettings['notifications'], 'quiet' | 'quietFrom' | 'quietTo' | 'quietZone'>;

/**
 * Whether nothing is to be shown at an instant. The hours may go over midnight; equal ends are a whole day.
 * @param now epoch milliseconds
 * @param zone IANA name that counts when the settings name none
 */
export function isQuiet(hours: QuietHours, now: number, zone: string): boolean {
  if (!hours.quiet) return false;
  const time = wallTime(now, hours.quietZone === '' ? zone : hours.quietZone);
  const { quietFrom: from, quietTo: to } = hours;
  return from < to ? from <= time && time < to : time >= from || time < to;
}

/** `HH:MM` in a zone; in that of the machine when there is no such zone. */
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
