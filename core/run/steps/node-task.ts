import type { JsonValue } from '../../base/json.ts';
import type { ExecutorResult } from '../../executors/executor.ts';
import type { NodeId } from '../../model/run/run-event.ts';
import type { Step } from '../../model/workflow/step.ts';
import type { StepOutcome } from '../../plan/plan.ts';
import type { CompletedItems } from './completed-item.ts';
import type { OpenNode } from './open-node.ts';
import type { Outputs } from '../values/run-scope.ts';

/** A step's `output`. */
export interface NamedOutput {
  readonly name: string;
  readonly value: JsonValue;
}

/** A node to run, and its visible values. */
export interface NodeTask {
  readonly step: Step;
  readonly node: NodeId;
  readonly outputs: Outputs;
  /** Variables in addition to those of every step, such as a handler's `DAG_RUN_STATUS`. */
  readonly extra: Readonly<Record<string, string>>;
  /** Number of its newest attempt before the retry or takeover; 0 for none. */
  readonly previousAttempts: number;
  /** Its state if it was running when its host was lost. */
  readonly open?: OpenNode | undefined;
  /** Items of `parallel` that need not run again, in a retried run. */
  readonly completedItems?: CompletedItems | undefined;
}

/** How a step ended, for the plan and for the run's own result. */
export interface NodeResult extends StepOutcome {
  /** Number of its last attempt; absent when it had none. */
  readonly attempt?: number;
  readonly exitCode?: number;
  readonly error?: string;
  readonly output?: NamedOutput;
}

/** Why an attempt was ended early; the first cause counts (a later stop does not overwrite a timeout). */
export type StopCause = 'timeout' | 'abort';

/** How one attempt ended. */
export interface AttemptResult extends ExecutorResult {
  readonly cause?: StopCause;
  readonly captured?: NamedOutput;
}

export const hasFailed = (result: ExecutorResult): boolean =>
  result.error !== undefined || result.signal !== undefined || (result.exitCode ?? 0) !== 0;
