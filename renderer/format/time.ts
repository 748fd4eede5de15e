import { pluralize } from '../../core/base/text/pluralize.ts';
import { usePreferences } from '../app/preferences.ts';
import { readTimeFormats } from './time-formats.ts';

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
export const showMoments = (text: string, now: number): string =>
  text.replaceAll(moment, (iso) => (isNear(iso, now) ? formatTimeOfDay(iso) : formatDayAndTime(iso)));

/** Returns the milliseconds between two moments, or until now if the second is missing. */
export const spanOf = (startedAt: string, finishedAt: string | undefined, now: number): number =>
  (finishedAt === undefined ? now : Date.parse(finishedAt)) - Date.parse(startedAt);
