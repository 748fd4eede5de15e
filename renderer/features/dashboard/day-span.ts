import type { RunStatus } from '../../../core/model/status.ts';
import { readTimeZone } from '../../format/time-formats.ts';
import { findTimeZone } from '../../../core/schedule/zone/time-zone.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export const activeStatuses = ['running', 'not_started', 'queued'] as const satisfies readonly RunStatus[];

/** The first instant of the day that it is in the user's time zone. */
export function startOfToday(now: number): number {
  const zone = findTimeZone(readTimeZone());
  const wall = Math.floor((now + zone.offsetAt(now)) / dayMs) * dayMs;
  const early = wall - zone.offsetAt(now);
  return wall - zone.offsetAt(early);
}

/** The last day and whatever of today is before it; a whole hour, so that it stays the same for that long. */
export const startOfSpan = (now: number): string =>
  new Date(Math.floor(Math.min(startOfToday(now), now - dayMs) / hourMs) * hourMs).toISOString();
