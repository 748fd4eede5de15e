import type { Catchup, Schedule } from '../../model/workflow/workflow.ts';

/** The part of a workflow file that a scheduler caches; the rest is read when a slot is due. */
export interface ScheduledDag {
  /** As in `FireTimeRef`. */
  readonly dag: string;
  readonly schedule: Schedule;
  /** Default: from the configuration, like the next one. */
  readonly catchup?: Catchup;
  readonly catchupWindowSec?: number;
}

/** Identifies a version of a file's schedule. */
export const scheduleFingerprint = ({ schedule }: ScheduledDag): string =>
  JSON.stringify([schedule.start, schedule.stop, schedule.restart]);

/** Whether the schedule has any times. */
export const hasTimes = ({ start, stop, restart }: Schedule): boolean =>
  start.length + stop.length + restart.length > 0;
