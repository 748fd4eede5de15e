import type { DryRunView } from '../../../core/contract/runs/dry.ts';
import type { RerunPlanView } from '../../../core/contract/runs/reruns.ts';
import type { RunStatus, StepStatus } from '../../../core/model/run/status.ts';

/** What became of a case, the same whether the command line or the API ran it. */
export type CaseResult = RanResult | RejectedResult | RefusedResult | AcceptedResult | DryResult;

export interface RanResult {
  readonly kind: 'ran';
  readonly run: RunResult;
  /** Exit code of `engine start`; absent from the API. */
  readonly exit?: number | null;
  /** Of the validation; absent when the case says nothing about them. */
  readonly warnings?: readonly Problem[];
  readonly places: Places;
  /** Text files in the workflow's folder afterwards, by path relative to it. */
  readonly files: Readonly<Record<string, string>>;
  /** Of a retry, what it had said it would do with each step. */
  readonly plan?: RerunPlanView;
  /** What came of each entry of `afterwards`. */
  readonly afterwards?: readonly CaseResult[];
}

/** Refused by validation; `start` is what an attempt to run it said. */
export interface RejectedResult {
  readonly kind: 'rejected';
  readonly validation: readonly Problem[];
  readonly warnings?: readonly Problem[];
  readonly start: readonly Problem[];
}

export interface RefusedResult {
  readonly kind: 'refused';
  readonly code: string;
  readonly message: string;
}

export interface AcceptedResult {
  readonly kind: 'accepted';
  readonly warnings: readonly Problem[];
}

/** What a dry run has said. */
export interface DryResult {
  readonly kind: 'dry';
  readonly view: DryRunView;
  /** Exit code of `engine dry`; absent from the API. */
  readonly exit?: number | null;
  readonly places: Places;
  /** Files that have come to the workflow's folder. */
  readonly newFiles: Readonly<Record<string, string>>;
}

export interface RunResult {
  readonly name: string;
  readonly dagRunId: string;
  readonly status: RunStatus;
  readonly error?: string;
  readonly params: readonly string[];
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly steps: readonly StepResult[];
  readonly handlers: readonly StepResult[];
}

export interface StepResult {
  readonly name: string;
  readonly status: StepStatus;
  readonly exitCode: number | null;
  readonly signal?: string;
  readonly attempts: number;
  readonly error?: string;
  /** ISO 8601. */
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly runs: readonly RunResult[];
}

/** An error or a warning of a file. */
export interface Problem {
  /** Name of the file, without its folder; empty for a text without one. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** `steps[0].command`; empty for the whole file. */
  readonly field: string;
  readonly message: string;
}

/** What `<folder>`, `<home>`, `<user>` and `<runId>` in an expected text stand for. */
export interface Places {
  /** The workflow's folder; for text without a file, the engine's current directory. */
  readonly folder: string;
  /** The engine's home. */
  readonly home: string;
  /** The user's home directory. */
  readonly user: string;
  readonly runId: string;
}
