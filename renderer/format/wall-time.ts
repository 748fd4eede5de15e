import { findTimeZone } from '../../core/schedule/zone/time-zone.ts';
import { readTimeZone } from './time-formats.ts';

/** Date and time of an instant in the zone that the user has chosen, such as `2026-01-31T09:30`. */
export function toWallTime(instant: number): string {
  const zone = findTimeZone(readTimeZone());
  return new Date(instant + zone.offsetAt(instant)).toISOString().slice(0, 16);
}

/**
 * The instant of a date and time there, epoch milliseconds; undefined for what is none. Of two the first; a time that
 * the clock leaves out is later by as much as it is set forward.
 */
export function fromWallTime(text: string): number | undefined {
  const wall = Date.parse(`${text}Z`);
  if (Number.isNaN(wall)) return undefined;
  const zone = findTimeZone(readTimeZone());
  const candidates = [zone.offsetAt(wall - zone.offsetAt(wall)), zone.offsetAt(wall - 86_400_000)];
  const fitting = candidates.map((offset) => wall - offset).filter((at) => at + zone.offsetAt(at) === wall);
  return fitting.length > 0 ? Math.min(...fitting) : wall - candidates[1]!;
}
