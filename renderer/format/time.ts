const slackMs = 2_000;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const dayAndTime = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const fullTime = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
});

/** Near times relative, others as a date: `just now`, `12 min ago`, `in 3 h`, `18 Nov, 04:00`. */
export function formatRelative(iso: string, now: number): string {
  const distance = Date.parse(iso) - now;
  const span = Math.abs(distance);
  // Clocks differ a little, and the time shown is that of the last full second.
  if (span < minuteMs) return distance > slackMs ? 'in under a minute' : 'just now';
  const words = span < hourMs ? `${Math.floor(span / minuteMs)} min` : `${Math.floor(span / hourMs)} h`;
  if (span < dayMs) return distance > 0 ? `in ${words}` : `${words} ago`;
  return dayAndTime.format(Date.parse(iso));
}

const dayOnly = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

/** The day with its year, for what lasts: `20 Feb 2027`. */
export const formatDay = (iso: string): string => dayOnly.format(Date.parse(iso));

/** Whether a moment is so near that its hour matters more than its day. */
export const isNear = (iso: string, now: number): boolean => Math.abs(Date.parse(iso) - now) < dayMs;

/** Date, time to the second and zone, for hovering and headers. */
export const formatFull = (iso: string): string => fullTime.format(Date.parse(iso));

/** Milliseconds between two moments, the second of which may still lie ahead. */
export const spanOf = (startedAt: string, finishedAt: string | undefined, now: number): number =>
  (finishedAt === undefined ? now : Date.parse(finishedAt)) - Date.parse(startedAt);
