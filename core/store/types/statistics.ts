import type { RunStatus } from '../../model/run.ts';

/** In epoch milliseconds; `until` is not part of it. */
export interface TimeRange {
  readonly from: number;
  readonly until: number;
}

/** Number of finished runs by outcome. */
export interface RunOutcomes {
  readonly succeeded: number;
  readonly partiallySucceeded: number;
  readonly failed: number;
  readonly aborted: number;
  /** Average duration; absent without a run that started. */
  readonly averageMs?: number;
}

/** Failed runs of one workflow with the same error. */
interface RunFailure {
  readonly name: string;
  /** The start of the error message. */
  readonly error: string | undefined;
  readonly runs: number;
  /** Creation times of the first and the last of them, epoch milliseconds. */
  readonly firstAt: number;
  readonly lastAt: number;
  /** Key of the newest of them. */
  readonly lastKey: number;
}

export interface RunFailures {
  readonly failures: readonly RunFailure[];
  /** Whether all failed runs of the time range were examined. */
  readonly isComplete: boolean;
}

/** How long the newest successful runs of a workflow took. */
export interface UsualDuration {
  /** Number of runs examined. */
  readonly runs: number;
  /** Median in milliseconds; absent without runs. */
  readonly medianMs?: number;
}

export interface RecentStatus {
  readonly dagRunId: string;
  readonly status: RunStatus;
}

/** Aggregates over runs; sub-runs do not count. */
export interface RunStatisticsStore {
  /** Counts the finished runs that were created in a time range. */
  countOutcomes(range: TimeRange): Promise<RunOutcomes>;
  countWithStatus(status: RunStatus): Promise<number>;
  /** Returns the failed runs created since a time by workflow and error, newest first. */
  listFailures(since: number): Promise<RunFailures>;
  findRunId(key: number): Promise<string | undefined>;
  usualDuration(name: string): UsualDuration;
  /** Returns the statuses of the 10 newest runs of a workflow, newest first. */
  recentStatuses(name: string): Promise<RecentStatus[]>;
}
