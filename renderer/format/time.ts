import cronstrue from 'cronstrue';
import { pluralize } from '../../core/base/text.ts';
import { findTimeZone, type TimeZone } from '../../core/spec/schedule/time-zone.ts';
import { listDays } from '../../core/spec/schedule/next-run.ts';
import { engineStart, needsBothDays, oneTimePattern } from '../../core/model/workflow-rules.ts';
import { usePreferences } from '../base/preferences.ts';

/** Formats of a moment, in the chosen time zone and time format. */
export interface TimeFormats {
  readonly zone: TimeZone;
  /** `18 Nov, 04:00` */
  readonly dayAndTime: Intl.DateTimeFormat;
  /** `18 Nov 2026, 04:00:05 CET` */
  readonly full: Intl.DateTimeFormat;
  /** `18 Nov 2026` */
  readonly day: Intl.DateTimeFormat;
  /** `04:00` */
  readonly hourAndMinute: Intl.DateTimeFormat;
  /** `04:00:05` */
  readonly timeOfDay: Intl.DateTimeFormat;
}

let made: { readonly key: string; readonly formats: TimeFormats } | undefined;

/** Returns the formats for the current preferences; cached, because creating one is slower than using it. */
export function readTimeFormats(): TimeFormats {
  const { timeZone, clock } = usePreferences.getState();
  const key = `${timeZone} ${clock}`;
  if (made?.key !== key) made = { key, formats: makeFormats(timeZone, clock === '12') };
  return made.formats;
}

/** Returns the displayed time zone: the chosen one or that of this machine. */
export const readTimeZone = (): TimeZone => readTimeFormats().zone;

function makeFormats(chosen: string, isTwelve: boolean): TimeFormats {
  const zone = findTimeZone(chosen === 'local' ? undefined : chosen);
  const base = { timeZone: zone.name, hourCycle: isTwelve ? 'h12' : 'h23' } as const;
  const date = { day: 'numeric', month: 'short' } as const;
  const time = { hour: '2-digit', minute: '2-digit' } as const;
  const make = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat('en-GB', { ...base, ...options });
  return {
    zone,
    dayAndTime: make({ ...date, ...time }),
    full: make({ ...date, year: 'numeric', ...time, second: '2-digit', timeZoneName: 'short' }),
    day: make({ ...date, year: 'numeric' }),
    hourAndMinute: make(time),
    timeOfDay: make({ ...time, second: '2-digit' }),
  };
}

const slackMs = 2_000;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/**
 * Formats near times as relative and others as a date: `just now`, `12 min ago`, `in 3 h`, `18 Nov, 04:00`. All
 * times are dates if the settings say so.
 */
export function formatRelative(iso: string, now: number): string {
  const distance = Date.parse(iso) - now;
  if (Math.abs(distance) >= dayMs || usePreferences.getState().times === 'absolute')
    return formatDayAndTime(iso);
  return formatNear(distance);
}

/** @param distance from now, in ms, less than a day in either direction */
function formatNear(distance: number): string {
  const span = Math.abs(distance);
  // Clocks differ slightly, and the displayed time is that of the last full second.
  if (span < minuteMs) return distance > slackMs ? 'in under a minute' : 'just now';
  const words = span < hourMs ? `${Math.floor(span / minuteMs)} min` : `${Math.floor(span / hourMs)} h`;
  return distance > 0 ? `in ${words}` : `${words} ago`;
}

/** Formats day and minute: `18 Nov, 04:00`. */
export const formatDayAndTime = (iso: string): string => readTimeFormats().dayAndTime.format(Date.parse(iso));

/** Formats the day with its year, for long periods: `20 Feb 2027`. */
export const formatDay = (iso: string): string => readTimeFormats().day.format(Date.parse(iso));

/** Formats the distance of a moment, however far: `12 min ago`, `in 88 days`, `14 months ago`. */
export function formatDistance(iso: string, now: number): string {
  const distance = Date.parse(iso) - now;
  const days = Math.round(Math.abs(distance) / dayMs);
  if (Math.abs(distance) < dayMs) return formatNear(distance);
  const [count, unit] = days < 100 ? [days, 'day'] : [Math.round(days / 30.44), 'month'];
  const words = pluralize(count, unit);
  return distance > 0 ? `in ${words}` : `${words} ago`;
}

/** Whether a moment is so near that its time matters more than its date. */
export const isNear = (iso: string, now: number): boolean => Math.abs(Date.parse(iso) - now) < dayMs;

/** Formats date, time with seconds and zone, for tooltips and headers. */
export const formatFull = (iso: string): string => readTimeFormats().full.format(Date.parse(iso));

/** Formats the time of day, for axes and for lists of one day: `04:00`. */
export const formatHourAndMinute = (iso: string): string =>
  readTimeFormats().hourAndMinute.format(Date.parse(iso));

/** Formats the time of day with seconds: `04:00:05`. */
export const formatTimeOfDay = (iso: string): string => readTimeFormats().timeOfDay.format(Date.parse(iso));

const moment = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z/g;

/**
 * Formats the timestamps in an engine message in the displayed time zone: near ones with seconds, others with
 * their date.
 */
export const formatTimestampsIn = (text: string, now: number): string =>
  text.replaceAll(moment, (iso) => (isNear(iso, now) ? formatTimeOfDay(iso) : formatDayAndTime(iso)));

/** Returns the milliseconds between two moments, or until now if the second is missing. */
export const getSpan = (startedAt: string, finishedAt: string | undefined, now: number): number =>
  (finishedAt === undefined ? now : Date.parse(finishedAt)) - Date.parse(startedAt);

/** Returns date and time of an instant in the displayed time zone, such as `2026-01-31T09:30`. */
export function toWallTime(instant: number): string {
  const zone = readTimeZone();
  return new Date(instant + zone.offsetAt(instant)).toISOString().slice(0, 16);
}

/**
 * Returns the instant of a local date and time, in epoch milliseconds; undefined for invalid input. An
 * ambiguous time returns the first instant; a time skipped by daylight saving is moved forward by the change.
 */
export function fromWallTime(text: string): number | undefined {
  const wall = Date.parse(`${text}Z`);
  if (Number.isNaN(wall)) return undefined;
  const zone = readTimeZone();
  const candidates = [zone.offsetAt(wall - zone.offsetAt(wall)), zone.offsetAt(wall - 86_400_000)];
  const fitting = candidates.map((offset) => wall - offset).filter((at) => at + zone.offsetAt(at) === wall);
  return fitting.length > 0 ? Math.min(...fitting) : wall - candidates[1]!;
}

const msPerDay = 86_400_000;

/** Returns the date of an instant in the displayed time zone, such as `2026-01-31`. */
export function toDate(instant: number): string {
  const zone = readTimeZone();
  return new Date(instant + zone.offsetAt(instant)).toISOString().slice(0, 10);
}

/** Returns the first instant of a date in that zone, and of the next date; undefined for an invalid date. */
export function getDayBounds(date: string): { readonly from: number; readonly until: number } | undefined {
  return listDays({ from: date, to: date }, readTimeZone().name, 1)[0];
}

/** Returns the first instant of an instant's day. */
export const startOfDay = (instant: number): number => getDayBounds(toDate(instant))?.from ?? instant;

/** Adds a number of days, possibly negative, to a date. */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * msPerDay).toISOString().slice(0, 10);

/** Returns the Monday of a date's week. */
export const startOfWeek = (date: string): string =>
  addDays(date, -((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7));

/**
 * Formats a duration: `340 ms`, `4.2 s`, `1m 04s`, `2h 05m`, `3d 04h`.
 * @param milliseconds negative values, which clock changes can cause, count as zero
 */
export function formatDuration(milliseconds: number): string {
  const span = Math.max(0, milliseconds);
  if (Math.round(span) < 1_000) return `${Math.round(span)} ms`;
  if (span < 9_950) return `${(span / 1_000).toFixed(1)} s`;
  const seconds = Math.round(span / 1_000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m ${pad(seconds % 60)}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1_440) return `${Math.floor(minutes / 60)}h ${pad(minutes % 60)}m`;
  const hours = Math.floor(minutes / 60);
  return `${Math.floor(hours / 24)}d ${pad(hours % 24)}h`;
}

/**
 * Formats an ongoing duration in whole seconds, so that a ticking display does not flicker: `0 s`, `7 s`, `1m
 * 04s`.
 */
export const formatElapsed = (milliseconds: number): string => {
  const whole = Math.floor(Math.max(0, milliseconds) / 1_000) * 1_000;
  return whole < 10_000 ? `${whole / 1_000} s` : formatDuration(whole);
};

const pad = (value: number): string => String(value).padStart(2, '0');

/** Descriptions by expression: a page shows the same ones many times. */
const descriptions = new Map<string, string>();
const maxDescriptions = 1000;

/** Describes a cron expression (`Every day at 02:00`); one that cannot be described is returned unchanged. */
export function formatCron(expression: string): string {
  const known = descriptions.get(expression);
  if (known !== undefined) return known;
  const text = describeCron(expression);
  if (descriptions.size >= maxDescriptions) descriptions.clear();
  descriptions.set(expression, text);
  return text;
}

function describeCron(expression: string): string {
  if (expression.toLowerCase() === engineStart) return 'At engine start';
  const [, zone, fields = expression] = /^CRON_TZ=(\S+)\s+(.*)$/.exec(expression) ?? [];
  const once = oneTimePattern.exec(fields);
  if (once) return `Once on ${formatDate(once[1]!)} at ${once[2]}${zone ? ` (${zone})` : ''}`;
  try {
    const words = toWords(fields)
      .replace(/^At (\d\d:\d\d)$/, 'Every day at $1')
      .replace(/^At (\d\d:\d\d), Monday through Friday$/, 'Every weekday at $1');
    return zone ? `${words} (${zone})` : words;
  } catch {
    return expression;
  }
}

const dateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const formatDate = (date: string): string => dateFormat.format(Date.parse(date));

/** Returns the text shown for a schedule without next times. */
export const explainNoTimes = ({ start }: { readonly start: readonly string[] }): string =>
  start.includes(engineStart) ? 'Starts when the engine starts.' : 'No more scheduled times.';

function toWords(fields: string): string {
  const parts = fields.trim().split(/\s+/);
  const weekday = nameWeekdays(parts.pop()?.replace(/^\+/, '') ?? '');
  const month = parts.pop() ?? '';
  const mustMatchBoth = needsBothDays(fields);
  const words = (...days: readonly string[]): string =>
    cronstrue.toString([...parts, ...days].join(' '), {
      use24HourTimeFormat: true,
      verbose: false,
      logicalAndDayFields: mustMatchBoth,
    });
  const whole = words(month, weekday);
  if (mustMatchBoth) return whole;
  // The library joins the two day fields with "and" or a comma, although one match is sufficient.
  const [everyMonth, byDay] = [words('*', weekday), words('*', '*')];
  if (!whole.startsWith(everyMonth) || !everyMonth.startsWith(byDay)) return whole;
  const byWeekday = everyMonth.slice(byDay.length).replace(/^, (?:and )?/, ', or ');
  return byDay + byWeekday + whole.slice(everyMonth.length);
}

/**
 * Expands a step in the weekday field, such as every second day, to a list of days, which reads more clearly.
 */
function nameWeekdays(field: string): string {
  const step = Number(/^\*\/(\d+)$/.exec(field)?.[1]);
  return step > 1 ? [0, 1, 2, 3, 4, 5, 6].filter((day) => day % step === 0).join(',') : field;
}
