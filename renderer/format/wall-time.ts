import { findTimeZone } from '../../core/schedule/zone/time-zone.ts';
import { readTimeZone } from './time-formats.ts';

/** Returns date and time of an instant in the displayed time zone, such as `2026-01-31T09:30`. */
export function toWallTime(instant: number): string {
  const zone = findTimeZone(readTimeZone());
  return new Date(instant + zone.offsetAt(instant)).toISOString().slice(0, 16);
}

/**
 * Returns the instant of a local date and time, in epoch milliseconds; undefined for invalid input. An
 * ambiguous time returns the first instant; a time skipped by daylight saving is moved forward by the change.
 */
export function fromWallTime(text: string): number | undefined {
  const wall = Date.parse(`${text}Z`);
  if (Number.isNaN(wall)) return undefined;
  const zone = findTimeZone(readTimeZone());
  const candidates = [zone.offsetAt(wall - zone.offsetAt(wall)), zone.offsetAt(wall - 86_400_000)];
  const fitting = candidates.map((offset) => wall - offset).filter((at) => at + zone.offsetAt(at) === wall);
  return fitting.length > 0 ? Math.min(...fitting) : wall - candidates[1]!;
}
