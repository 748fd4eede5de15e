import { listDays } from '../../core/schedule/days.ts';
import { findTimeZone } from '../../core/schedule/zone/time-zone.ts';
import { readTimeZone } from './time-formats.ts';

const dayMs = 86_400_000;

/** Returns the date of an instant in the displayed time zone, such as `2026-01-31`. */
export function toDate(instant: number): string {
  const zone = findTimeZone(readTimeZone());
  return new Date(instant + zone.offsetAt(instant)).toISOString().slice(0, 10);
}

/** Returns the first instant of a date in that zone, and of the next date; undefined for an invalid date. */
export function boundsOf(date: string): { readonly from: number; readonly until: number } | undefined {
  return listDays({ from: date, to: date }, readTimeZone(), 1)[0];
}

/** Returns the first instant of an instant's day. */
export const startOfDay = (instant: number): number => boundsOf(toDate(instant))?.from ?? instant;

/** Adds a number of days, possibly negative, to a date. */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);

/** Returns the Monday of a date's week. */
export const startOfWeek = (date: string): string =>
  addDays(date, -((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7));
