import type { RunStatus } from '../../../core/model/run/status.ts';
import { startOfDay } from '../../format/day-clock.ts';

const hourMs = 3_600_000;

export const activeStatuses = ['running', 'not_started', 'queued'] as const satisfies readonly RunStatus[];

/**
 * Returns the start of the last 24 hours or of today, whichever is earlier, rounded to a whole hour so that it
 * rarely changes.
 */
export const dashboardStart = (now: number): string =>
  new Date(Math.floor(Math.min(startOfDay(now), now - 24 * hourMs) / hourMs) * hourMs).toISOString();
