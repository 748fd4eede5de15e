import { listDays } from '../../core/schedule/days.ts';
import { findTimeZone } from '../../core/schedule/zone/time-zone.ts';
import { readTimeZone } from './time-formats.ts';

const dayMs = 86_400_000;

/** The date of an instant in the zone that the user has chosen, such as `2026-01-31`. */
export function toDate(instant: number): string {
  const zone = findTimeZone(readTimeZone());
  return new Date(instant + zone.offsetAt(instant)).toISOString().slice(0, 10);
}

/** First instant of a date in that zone, and of the one after it; undefined for what is no date. */
export function boundsOf(date: string): { readonly from: number; readonly until: number } | undefined {
  return listDays({ from: date, to: date }, readTimeZone(), 1)[0];
}

/** First instant of the day of an instant. */
export const startOfDay = (instant: number): number => boundsOf(toDate(instant))?.from ?? instant;

/** A date some days later, or earlier. */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);

/** The Monday of the week of a date. */
export const startOfWeek = (date: string): string =>
  addDays(date, -((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7));
