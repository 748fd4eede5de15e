import { findTimeZone, type TimeZone } from './zone/time-zone.ts';

/** A day in a time zone. */
export interface Day {
  /** `2026-01-31`. */
  readonly date: string;
  /** Its first instant, epoch milliseconds. */
  readonly from: number;
  /** The first instant after it. */
  readonly until: number;
}

const dayMs = 86_400_000;

/**
 * Lists the days from one date to another, both included; empty when the second is before the first or one is not a
 * date. Throws a `RangeError` for an unknown zone.
 * @param most how many at most
 */
export function listDays(
  span: { from: string; to: string },
  zoneName: string | undefined,
  max: number,
): Day[] {
  const zone = findTimeZone(zoneName);
  const first = readDate(span.from);
  const last = readDate(span.to);
  if (first === undefined || last === undefined) return [];
  const days: Day[] = [];
  for (let wall = first; wall <= last && days.length < max; wall += dayMs)
    days.push({ date: toDate(wall), from: startOf(zone, wall), until: startOf(zone, wall + dayMs) });
  return days;
}

/** Returns the date of an instant in a zone. */
export const dateAt = (zone: TimeZone, instant: number): string => toDate(instant + zone.offsetAt(instant));

const toDate = (wall: number): string => new Date(wall).toISOString().slice(0, 10);

/**
 * Returns midnight UTC of a date such as `2026-01-31`, in epoch milliseconds; undefined for a date that does not exist.
 */
export function readDate(text: string): number | undefined {
  const wall = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(wall) || toDate(wall) !== text ? undefined : wall;
}

/** Returns the first instant of a day. If the clock jumps over midnight, that is the instant of the jump. */
function startOf(zone: TimeZone, wall: number): number {
  const early = wall - zone.offsetAt(wall - dayMs);
  const late = wall - zone.offsetAt(early);
  const candidates = [early, late].filter((at) => dateAt(zone, at) === toDate(wall));
  return Math.min(...(candidates.length > 0 ? candidates : [late]));
}
