import type { RunRef, RunStatus } from '../../model/run.ts';
import type {
  ScheduleNote,
  SchedulePause,
  SchedulerInstance,
  FireTimeOutcome,
  FireTimeRef,
} from '../../model/fire-time.ts';

/** A slot for which nothing was started, and why, in one sentence. */
export interface FireTimeRejection {
  readonly outcome: 'skipped' | 'failed';
  readonly reason: string;
  /** Name of the workflow. */
  readonly name: string;
}

/** Decided slots from one instant up to another. */
export interface FireTimeSpan {
  readonly from: number;
  readonly before: number;
  /** Default: all workflows. */
  readonly dags?: readonly string[];
}

/** Decided slots of one workflow with the same outcome. */
export interface FireTimeGroup extends Omit<FireTimeRef, 'at'> {
  readonly outcome: FireTimeOutcome;
  readonly count: number;
  /** Epoch milliseconds. */
  readonly first: number;
  readonly last: number;
  /** Why nothing was started at the last time. */
  readonly reason?: string;
  /** The run that was started at the last time, while it is in the history. */
  readonly run?: RunRef & { readonly status: RunStatus };
}

/** Number of slots with an outcome within a quarter of an hour. */
export interface FireTimeCount {
  /** Start of the quarter. */
  readonly at: number;
  readonly outcome: FireTimeOutcome;
  /** Status of the runs; absent without runs in the history. */
  readonly status?: RunStatus;
  readonly count: number;
  /** Number of these slots since the current schedule of their workflow was registered. */
  readonly registered: number;
}

/** A restart in progress. */
export interface PendingRestart {
  readonly fireTime: FireTimeRef;
  /** The run that was asked to stop. */
  readonly run: RunRef;
}

/** A workflow with a schedule, as read from its file. */
export interface RegisteredSchedule {
  /** As in `FireTimeRef`. */
  readonly dag: string;
  /** Identifies a version of the schedule. */
  readonly mark: string;
}

/**
 * Stores decided slots. Each method is one transaction. Methods that decide a slot do nothing when any process has
 * decided it before; a run for a slot is created together with its row (`RunStore.createRun`).
 */
export interface ScheduleStore {
  isDecided(fireTime: FireTimeRef): Promise<boolean>;
  /** Records why nothing is started for a slot; returns whether the slot was still undecided. */
  rejectFireTime(fireTime: FireTimeRef, error: FireTimeRejection, at: number): Promise<boolean>;
  /**
   * Asks all active runs of a name to stop, without sub-runs.
   * @returns these runs; empty, with the slot recorded as skipped, when there are none; undefined when it was decided
   * before
   */
  stopForFireTime(fireTime: FireTimeRef, name: string, at: number): Promise<RunRef[] | undefined>;
  /** Does the same for the newest active run, which is started again when it has ended. */
  beginRestart(fireTime: FireTimeRef, name: string, at: number): Promise<RunRef[] | undefined>;
  /** Ends a restart that did not lead to a new run. */
  rejectRestart(fireTime: FireTimeRef, reason: string, at: number): Promise<void>;
  listRestarts(): Promise<PendingRestart[]>;
  /** Groups the decided slots of a time span by workflow, kind and outcome; by first time. */
  groupFireTimes(span: FireTimeSpan & { readonly limit: number }): Promise<FireTimeGroup[]>;
  /** Lists the decided slots of one workflow. */
  listFireTimes(of: Omit<FireTimeRef, 'at'>, span: FireTimeSpan): Promise<ReadonlySet<number>>;
  /** Counts the decided slots of a time span. */
  countFireTimes(span: FireTimeSpan): Promise<FireTimeCount[]>;
  /** Removes slots before a time, so that the table does not grow forever. */
  purgeFireTimes(before: number): Promise<void>;

  /**
   * Registers these schedules.
   * @returns since when each of them counts, in epoch milliseconds: since it was first seen, changed, or resumed
   */
  rememberSchedules(
    schedules: readonly RegisteredSchedule[],
    at: number,
  ): Promise<ReadonlyMap<string, number>>;
  /** Returns the registered schedules, and since when each of them counts as above. */
  listRegistered(): Promise<ReadonlyMap<string, number>>;
  /** Forgets deleted files: if they come back, their schedules count from then on. */
  forgetSchedules(dags: readonly string[]): Promise<void>;
  setSuspended(dag: string, isSuspended: boolean, at: number): Promise<void>;
  isSuspended(dag: string): Promise<boolean>;
  listSuspended(): Promise<ReadonlySet<string>>;

  /** Returns the pause of all schedules; a pause that has expired may still be returned. */
  pause(): Promise<SchedulePause | undefined>;
  /** Pauses or resumes all schedules; returns the previous pause. */
  setPause(pause: SchedulePause | undefined): Promise<SchedulePause | undefined>;
  /** Removes a pause that has expired; returns whether there was one. */
  removeExpiredPause(at: number): Promise<boolean>;

  /** Returns the instant up to which everything is decided; undefined before the first scheduler ran. */
  watermark(): Promise<number | undefined>;
  setWatermark(at: number): Promise<void>;
  /**
   * Whether a run of the whole workflow has succeeded that started at or after a time and was not started by a
   * schedule.
   */
  hasSucceededSince(name: string, since: number): Promise<boolean>;
  hasActiveRun(name: string): Promise<boolean>;

  /** Adds a note; only the newest few hundred are stored. */
  addNote(note: ScheduleNote): Promise<void>;
  /** Lists the notes, newest first. */
  listNotes(limit: number): Promise<ScheduleNote[]>;
  saveScheduler(instance: SchedulerInstance): Promise<void>;
  removeScheduler(id: string): Promise<void>;
  listSchedulers(): Promise<SchedulerInstance[]>;
}
