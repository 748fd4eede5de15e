import { durationText } from '../../base/text/duration-text.ts';

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** Time of day on the machine's clock: `15:04:05`. */
export function clockText(time: Date): string {
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map(twoDigits).join(':');
}

/** Date and time of day on the machine's clock: `2026-11-20 15:04:05`. */
export function dateTimeText(time: Date): string {
  const date = [String(time.getFullYear()), twoDigits(time.getMonth() + 1), twoDigits(time.getDate())].join(
    '-',
  );
  return `${date} ${clockText(time)}`;
}

/** How long something took, or has taken until `now`; nothing when it has not begun. All times ISO, `now` epoch milliseconds. */
export function elapsedText(
  span: { readonly startedAt?: string; readonly finishedAt?: string },
  now: number,
): string | undefined {
  if (span.startedAt === undefined) return undefined;
  const end = span.finishedAt === undefined ? now : Date.parse(span.finishedAt);
  return durationText(end - Date.parse(span.startedAt));
}
