import type { Trigger } from '../../model/run/run-event.ts';
import type { RunStatus, StepStatus } from '../../model/run/status.ts';

/** What is told of a run. Times are epoch milliseconds. */
export interface RunFacts {
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
  /** SHA-256 of the text that it runs, in hexadecimal. */
  readonly textHash: string;
  /** Path of its file, as it was given. */
  readonly file: string | undefined;
  readonly tags: readonly string[];
  /** How many times it was begun, from 1. */
  readonly attempt: number;
}

/** The run that a step belongs to: that which is told of, or a sub-run of it. */
export interface StepPlace {
  readonly key: number;
  readonly dag: string;
  readonly dagRunId: string;
  /** Names of the steps that have led there, from the run's own; empty for a step of the run itself. */
  readonly callers: readonly string[];
}

/** What is told of a step. Times are epoch milliseconds. */
export interface StepFacts {
  readonly name: string;
  readonly of: StepPlace;
  readonly status: StepStatus;
  readonly startedAt: number | undefined;
  readonly finishedAt: number | undefined;
  readonly error: string | undefined;
  readonly host: string | undefined;
}
