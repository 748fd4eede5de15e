import type { RunRef } from '../model/run/run.ts';
import type { RunStatus } from '../model/run/status.ts';
import type {
  ScheduleNote,
  SchedulePause,
  SchedulerInstance,
  SlotOutcome,
  SlotRef,
} from '../model/run/slot.ts';

/** A slot that nothing was started for, and why, in one sentence. */
export interface SlotRefusal {
  readonly outcome: 'skipped' | 'failed';
  readonly reason: string;
}

/** A slot, and what has become of it. */
export interface DecidedSlot extends SlotRef {
  readonly outcome: SlotOutcome;
  /** Why nothing was started. */
  readonly reason?: string;
  /** The run that was started, while it is in the history. */
  readonly run?: RunRef & { readonly status: RunStatus };
}

/** A restart that has begun. */
export interface PendingRestart {
  readonly slot: SlotRef;
  /** The run that was told to stop. */
  readonly run: RunRef;
}

/** A workflow with a schedule, as it is known from its file. */
export interface KnownSchedule {
  /** As in `SlotRef`. */
  readonly dag: string;
  /** Tells a schedule from another one. */
  readonly mark: string;
}

/**
 * Where schedules keep what has been done. All methods are one transaction each. Those that decide a slot do nothing
 * when it has been decided before, by whomever; a run for a slot is created together with its row
 * (`RunStore.createRun`).
 */
export interface ScheduleStore {
  isDecided(slot: SlotRef): boolean;
  /** Whether the slot was still to be decided. */
  refuseSlot(slot: SlotRef, refusal: SlotRefusal, at: number): boolean;
  /**
   * Asks all active runs of a name to stop, sub-runs apart.
   * @returns them; none, with the slot recorded as skipped, when there are none; undefined when it was decided before
   */
  stopForSlot(slot: SlotRef, name: string, at: number): RunRef[] | undefined;
  /** The same for the newest active run, which is to be started anew when it has ended. */
  beginRestart(slot: SlotRef, name: string, at: number): RunRef[] | undefined;
  /** Ends a restart that did not come to a new run. */
  refuseRestart(slot: SlotRef, reason: string, at: number): void;
  listRestarts(): PendingRestart[];
  /** Decided slots of a time, the last one first. */
  listSlots(span: { readonly from: number; readonly before: number; readonly limit: number }): DecidedSlot[];
  /** Removes slots before a time, so that their rows do not grow for ever. */
  purgeSlots(before: number): void;

  /**
   * Makes these schedules known.
   * @returns since when each of them counts, in epoch milliseconds: since it was first seen, changed, or resumed
   */
  rememberSchedules(schedules: readonly KnownSchedule[], at: number): ReadonlyMap<string, number>;
  /** Files that have gone: when they come back, their schedules count from then on. */
  forgetSchedules(dags: readonly string[]): void;
  setSuspended(dag: string, isSuspended: boolean, at: number): void;
  isSuspended(dag: string): boolean;
  listSuspended(): ReadonlySet<string>;

  /** That all schedules rest; one that is over by its time may still be here. */
  pause(): SchedulePause | undefined;
  /** Lets them rest, or count again. */
  setPause(pause: SchedulePause | undefined): void;

  /** Everything up to this instant has been decided; undefined before the first scheduler ran. */
  watermark(): number | undefined;
  setWatermark(at: number): void;
  /** Whether a run of the whole workflow has succeeded that began at or after a time and was not started by a schedule. */
  hasSucceededSince(name: string, since: number): boolean;
  hasActiveRun(name: string): boolean;

  /** Keeps the newest few hundred. */
  addNote(note: ScheduleNote): void;
  /** Newest first. */
  listNotes(limit: number): ScheduleNote[];
  keepScheduler(instance: SchedulerInstance): void;
  removeScheduler(id: string): void;
  listSchedulers(): SchedulerInstance[];
}
