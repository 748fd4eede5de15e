/** Actions of a schedule on its workflow. */
export const scheduleKinds = ['start', 'stop', 'restart'] as const;
export type ScheduleKind = (typeof scheduleKinds)[number];

/** A scheduled time. Each combination of workflow, kind and instant is executed once, by any host. */
export interface FireTimeRef {
  /** Name of the file in the workflow folder, without its extension. */
  readonly dag: string;
  readonly kind: ScheduleKind;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Outcome of a slot. `restarting`: its run was asked to stop, and the new one follows. */
export const fireTimeOutcomes = ['started', 'stopped', 'restarting', 'skipped', 'failed'] as const;
export type FireTimeOutcome = (typeof fireTimeOutcomes)[number];

/** Kinds of notes about schedules that concern no single run. */
export const scheduleNoteKinds = ['clock_moved', 'missed', 'failed', 'paused'] as const;

/** A note for operators of the schedules. */
export interface ScheduleNote {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly kind: (typeof scheduleNoteKinds)[number];
  /** As in `FireTimeRef`, when it is about one workflow. */
  readonly dag?: string;
  readonly message: string;
}

/** A pause of all schedules of the home. Times in epoch milliseconds. */
export interface SchedulePause {
  readonly since: number;
  /** When the pause ends; absent when it has to be ended manually. */
  readonly until?: number;
  /** User that paused the schedules. */
  readonly by: string;
}

/** A scheduler process. One of them is active. */
export interface SchedulerInstance {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  /** Port of its health check; absent when it has none. */
  readonly port?: number;
  /** Epoch milliseconds, like the next one. */
  readonly startedAt: number;
  /** Its last heartbeat. */
  readonly beatAt: number;
  readonly isActive: boolean;
}
