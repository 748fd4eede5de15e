import type { NodeId, RunEndCause } from '../model/run/run-event.ts';
import type { RunRef } from '../model/run/run.ts';
import type { activeRunStatuses, RunStatus, StepStatus } from '../model/run/status.ts';
import type { Parameter } from '../model/workflow/workflow.ts';

/** What keeps a database small and fast, in portions that nobody feels. None of it waits for other processes. */
export interface UpkeepStore {
  /** Changes with every run event and with every commit of another process. Costs microseconds. */
  activity(): string;
  /** Bytes of the file that hold nothing. */
  freeBytes(): number;
  /**
   * Gives a portion of them back to the disk. False when there was none, when another process writes, or when
   * the file is of a kind that can only be rewritten as a whole and is too big for that.
   */
  shrink(): boolean;
  /** Brings the write-ahead log into the database and empties it, unless somebody reads or writes. */
  emptyLog(): void;
}

/** A run that another engine has recorded, with its end. Times are epoch milliseconds. */
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
  /** Text of a workflow. */
  readonly spec: string;
  /** Kept as an event of the run. */
  readonly note: string;
  readonly steps: readonly ImportedStep[];
}

/** A step that has left `not_started`. */
export interface ImportedStep {
  readonly node: NodeId;
  readonly status: Exclude<StepStatus, (typeof activeRunStatuses)[number]>;
  /** Number of its newest attempt, the only one that is known; 0 without one. */
  readonly attempt: number;
  /** Of that attempt, below the run's `logDir`. */
  readonly dir: string;
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly exitCode?: number;
  readonly error?: string;
}

/** Where runs of another engine go. */
export interface ImportStore {
  hasRun(run: RunRef): boolean;
  /**
   * Adds runs in one transaction, each older in the order of the history than everything that is there: give the
   * newest first. Those that are there already stay as they are. Returns how many were added.
   */
  importRuns(runs: readonly ImportedRun[]): number;
  close(): void;
}
