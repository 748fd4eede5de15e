import type { RunStatus } from '../../../core/model/run/status.ts';
import { startOfDay } from '../../format/day-clock.ts';

const hourMs = 3_600_000;

export const activeStatuses = ['running', 'not_started', 'queued'] as const satisfies readonly RunStatus[];

/** The last day and whatever of today is before it; a whole hour, so that it stays the same for that long. */
export const startOfSpan = (now: number): string =>
  new Date(Math.floor(Math.min(startOfDay(now), now - 24 * hourMs) / hourMs) * hourMs).toISOString();
