import { formatDuration } from '../../base/text/duration-text.ts';

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** Formats the local time: `15:04:05`. */
export function formatClockTime(time: Date): string {
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map(twoDigits).join(':');
}

/** Formats the local date and time: `2026-11-20 15:04:05`. */
export function formatDateTime(time: Date): string {
  const date = [String(time.getFullYear()), twoDigits(time.getMonth() + 1), twoDigits(time.getDate())].join(
    '-',
  );
  return `${date} ${formatClockTime(time)}`;
}

/** Formats a duration, up to `now` if not ended; undefined if not started. All times ISO, `now` epoch milliseconds. */
export function formatElapsed(
  span: { readonly startedAt?: string; readonly finishedAt?: string },
  now: number,
): string | undefined {
  if (span.startedAt === undefined) return undefined;
  const end = span.finishedAt === undefined ? now : Date.parse(span.finishedAt);
  return formatDuration(end - Date.parse(span.startedAt));
}
