/** What a schedule does to its workflow. */
export const scheduleKinds = ['start', 'stop', 'restart'] as const;
export type ScheduleKind = (typeof scheduleKinds)[number];

/** A time of a schedule. Whatever a workflow, a kind and an instant name is done once, whoever does it. */
export interface SlotRef {
  /** Name of the file in the workflow folder, without its extension. */
  readonly dag: string;
  readonly kind: ScheduleKind;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** What has become of a slot. `restarting`: its run has been told to stop, and the new one is to come. */
export const slotOutcomes = ['started', 'stopped', 'restarting', 'skipped', 'failed'] as const;
export type SlotOutcome = (typeof slotOutcomes)[number];

/** Things about schedules that concern no single run. */
export const scheduleNoteKinds = ['clock_moved', 'missed', 'failed', 'paused'] as const;

/** Something that a person who looks after the schedules should know. */
export interface ScheduleNote {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly kind: (typeof scheduleNoteKinds)[number];
  /** As in `SlotRef`, when it is about one workflow. */
  readonly dag?: string;
  readonly message: string;
}

/** All schedules of the home rest. Times in epoch milliseconds. */
export interface SchedulePause {
  readonly since: number;
  /** When they count again by themselves; absent when somebody has to say so. */
  readonly until?: number;
  /** Who has asked for it. */
  readonly by: string;
}

/** A process that can do what schedules want. One of them is active. */
export interface SchedulerInstance {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  /** Port of its health check; absent when it has none. */
  readonly port?: number;
  /** Epoch milliseconds, like the next one. */
  readonly startedAt: number;
  /** Its last sign of life. */
  readonly beatAt: number;
  readonly isActive: boolean;
}
