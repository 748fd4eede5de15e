import { readTimeFormats } from '../../../format/time-formats.ts';
import type { TimestampMode } from '../use-log-options.ts';

/** Formats the time shown next to a line; blank while it is unknown. */
export function writeLineTime(
  time: number | undefined,
  shown: TimestampMode,
  startedAt: number | undefined,
): string {
  if (time === undefined || startedAt === undefined) return '';
  if (shown === 'absolute') return `${readTimeFormats().timeOfDay.format(time)}.${tenths(time)}`;
  const since = Math.max(0, time - startedAt);
  const seconds = Math.floor(since / 1000);
  const units = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shownParts = units[0] === 0 ? units.slice(1) : units;
  const text = shownParts.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0')));
  return `+${text.join(':')}.${tenths(since)}`;
}

/** Times are only known to a tenth of a second. */
const tenths = (time: number): number => Math.floor((time % 1000) / 100);
