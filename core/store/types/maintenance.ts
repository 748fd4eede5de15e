import type { NodeId, RunEndCause } from '../../model/run-event.ts';
import type { RunRef, activeRunStatuses, RunStatus, StepStatus } from '../../model/run.ts';
import type { Parameter } from '../../model/workflow.ts';

/** Database maintenance in small batches. Never waits for other processes. */
export interface MaintenanceStore {
  /** Changes with every run event and every commit of another process. Takes microseconds. */
  activity(): Promise<string>;
  /** Returns the unused bytes of the file. */
  freeBytes(): Promise<number>;
  /**
   * Returns a batch of them to the disk. False if there were none, another process is writing, or the file can only be
   * rewritten as a whole and is too large for that.
   */
  shrink(): Promise<boolean>;
  /**
   * Counts a batch of the outcomes of runs from before the counts existed, for `countOutcomes`. Returns whether there are
   * more. May wait for the write lock.
   */
  countEarlierRuns(): Promise<boolean>;
  /** Checkpoints and truncates the write-ahead log, unless the database is in use. */
  emptyLog(): Promise<void>;
}

/** A finished run recorded by another engine. Times are epoch milliseconds. */
export interface ImportedRun extends RunRef {
  readonly status: Exclude<RunStatus, (typeof activeRunStatuses)[number]>;
  readonly error?: string;
  readonly cause?: RunEndCause;
  readonly params: readonly Parameter[];
  readonly createdAt: number;
  readonly startedAt?: number;
  readonly finishedAt: number;
  /** Relative to the home. */
  readonly logDir: string;
  readonly outputs: Readonly<Record<string, string>>;
  /** Source of a workflow. */
  readonly spec: string;
  /** Stored as an event of the run. */
  readonly note: string;
  readonly steps: readonly ImportedStep[];
}

/** A step other than `not_started`. */
export interface ImportedStep {
  readonly node: NodeId;
  readonly status: Exclude<StepStatus, (typeof activeRunStatuses)[number]>;
  /** Number of its newest attempt, the only known one; 0 if none. */
  readonly attempt: number;
  /** Directory of that attempt, relative to the run's `logDir`. */
  readonly dir: string;
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly exitCode?: number;
  readonly error?: string;
}

/** Store for runs of another engine. */
export interface ImportStore {
  hasRun(run: RunRef): Promise<boolean>;
  /**
   * Adds runs in one transaction, each older in history order than all existing ones, so the newest must come first.
   * Existing runs stay unchanged. Returns the number of added runs.
   */
  importRuns(runs: readonly ImportedRun[]): Promise<number>;
  close(): void;
}
