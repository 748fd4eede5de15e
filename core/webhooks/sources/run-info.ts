import type { Trigger } from '../../model/run/run-event.ts';
import type { RunStatus, StepStatus } from '../../model/run/status.ts';

/** Run data for events. Times are epoch milliseconds. */
export interface RunInfo {
  readonly key: number;
  readonly dag: string;
  readonly dagRunId: string;
  readonly status: RunStatus;
  readonly trigger: Trigger;
  readonly startedBy: string | undefined;
  readonly createdAt: number;
  readonly startedAt: number | undefined;
  readonly finishedAt: number | undefined;
  readonly error: string | undefined;
  readonly params: Readonly<Record<string, string>>;
  /** SHA-256 of its workflow source, in hexadecimal. */
  readonly textHash: string;
  /** Path of its file, as given. */
  readonly file: string | undefined;
  readonly tags: readonly string[];
  /** Attempt number, from 1. */
  readonly attempt: number;
}

/** The run that a step belongs to: the run itself, or a sub-run of it. */
export interface StepRunRef {
  readonly key: number;
  readonly dag: string;
  readonly dagRunId: string;
  /** Names of the calling steps, outermost first; empty for a step of the run itself. */
  readonly callers: readonly string[];
}

/** Step data for events. Times are epoch milliseconds. */
export interface StepInfo {
  readonly name: string;
  readonly of: StepRunRef;
  readonly status: StepStatus;
  readonly startedAt: number | undefined;
  readonly finishedAt: number | undefined;
  readonly error: string | undefined;
  readonly host: string | undefined;
}
