import { durationText } from '../../base/text/duration-text.ts';

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** Formats the local time: `15:04:05`. */
export function clockText(time: Date): string {
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map(twoDigits).join(':');
}

/** Formats the local date and time: `2026-11-20 15:04:05`. */
export function dateTimeText(time: Date): string {
  const date = [String(time.getFullYear()), twoDigits(time.getMonth() + 1), twoDigits(time.getDate())].join(
    '-',
  );
  return `${date} ${clockText(time)}`;
}

/** Formats a duration, up to `now` if not ended; undefined if not started. All times ISO, `now` epoch milliseconds. */
export function elapsedText(
  span: { readonly startedAt?: string; readonly finishedAt?: string },
  now: number,
): string | undefined {
  if (span.startedAt === undefined) return undefined;
  const end = span.finishedAt === undefined ? now : Date.parse(span.finishedAt);
  return durationText(end - Date.parse(span.startedAt));
}
