import type { Catchup, Schedule } from '../../model/workflow/workflow.ts';

/** What a scheduler has to know of a workflow file all the time; the rest is read when something is due. */
export interface ScheduledDag {
  /** As in `SlotRef`. */
  readonly dag: string;
  readonly schedule: Schedule;
  /** Absent means what the configuration says, like the next one. */
  readonly catchup?: Catchup;
  readonly catchupWindowSec?: number;
}

/** Tells a schedule from another one of the same file. */
export const markOf = ({ schedule }: ScheduledDag): string =>
  JSON.stringify([schedule.start, schedule.stop, schedule.restart]);

/** Whether there is anything to wait for. */
export const hasTimes = ({ start, stop, restart }: Schedule): boolean =>
  start.length + stop.length + restart.length > 0;
