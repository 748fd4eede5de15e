import type { MissedExpectation } from '../../model/expectation.ts';

/** A workflow with expectations, as read from its file. */
export interface KnownExpectation {
  /** Name of the workflow file. */
  readonly dag: string;
  /** Identifies a version of the expectations. */
  readonly mark: string;
}

/** State of the expectations of a workflow. Times in epoch milliseconds. */
export interface ExpectationState {
  /** Since when they count: since they were first seen or changed, or the schedule was resumed. */
  readonly since: number;
  /** Deadlines of `by` up to this time are decided. */
  readonly decidedUntil: number;
}

/** A missed expectation in the database. */
export interface StoredMiss extends MissedExpectation {
  readonly id: number;
  readonly decidedAt: number;
  /** When the run ended, or the next one succeeded. */
  readonly resolvedAt?: number;
}

/** Times of an attempt at a run. */
export interface RunTimes {
  readonly name: string;
  readonly dagRunId: string;
  /** Its scheduled time, or when it was created or retried. */
  readonly dueAt: number;
  readonly isScheduled: boolean;
  readonly startedAt?: number;
  readonly finishedAt?: number;
}

/**
 * Stores what is expected of workflows, and what was missed. Each miss is one row, decided by whichever process is first,
 * together with its notification and webhook event.
 */
export interface ExpectationStore {
  /** Registers these expectations and returns their state. */
  remember(known: readonly KnownExpectation[], at: number): Promise<ReadonlyMap<string, ExpectationState>>;
  /** Records that the deadlines of `by` up to a time are decided. */
  advance(dag: string, decidedUntil: number): Promise<void>;
  /** Counts expectations again after a pause of all schedules. */
  restart(at: number): Promise<void>;
  /** Records a miss; returns whether it was still undecided. */
  miss(missed: MissedExpectation, at: number): Promise<boolean>;
  resolve(id: number, at: number): Promise<void>;
  /** Lists what is missed now, oldest first. */
  listOpen(): Promise<StoredMiss[]>;
  /** Lists the misses of a workflow file, newest first. */
  listMissed(dag: string, limit: number): Promise<StoredMiss[]>;
  /** Lists the misses of a run, oldest first. */
  listMissedOf(run: { readonly name: string; readonly dagRunId: string }): Promise<StoredMiss[]>;
  /** Lists the misses of runs that were found since a time, oldest first. */
  listMissedRunsSince(at: number): Promise<StoredMiss[]>;
  /** Lists misses with a deadline in a time span, oldest first. */
  listMissedBetween(from: number, before: number): Promise<StoredMiss[]>;
  purge(before: number): Promise<void>;
  /** Lists the active runs of all workflows, without sub-runs. */
  listActive(): Promise<RunTimes[]>;
  /** Lists the runs of a workflow that have ended since a time. */
  listEndedSince(name: string, since: number): Promise<RunTimes[]>;
  findTimes(run: { readonly name: string; readonly dagRunId: string }): Promise<RunTimes | undefined>;
  /** Whether a run of the whole workflow ended successfully after one time and up to another. */
  hasSucceeded(name: string, after: number, until: number): Promise<boolean>;
  /** Returns the end of the last successful run of a workflow, even when the history has lost it. */
  lastSuccess(dag: string, name: string): Promise<number | undefined>;
}
