import type { JsonValue } from '../../base/json.ts';
import type { ExecutorEnd } from '../../executors/executor.ts';
import type { NodeId } from '../../model/run/run-event.ts';
import type { Step } from '../../model/workflow/step.ts';
import type { StepEnd } from '../../plan/plan.ts';
import type { KeptItems } from './done-item.ts';
import type { OpenNode } from './open-node.ts';
import type { Outputs } from '../values/run-scope.ts';

/** A step's `output`. */
export interface NamedOutput {
  readonly name: string;
  readonly value: JsonValue;
}

/** A node to run, with what it may see. */
export interface NodeTask {
  readonly step: Step;
  readonly node: NodeId;
  readonly outputs: Outputs;
  /** Variables beside those of every step, such as a handler's `DAG_RUN_STATUS`. */
  readonly extra: Readonly<Record<string, string>>;
  /** Number of the newest attempt it had before, in a run that goes on; 0 for none. */
  readonly earlierAttempts: number;
  /** How far it had got when its host was lost, when it was under way. */
  readonly open?: OpenNode | undefined;
  /** Items of `parallel` that need not be done again, in a run that goes on. */
  readonly keptItems?: KeptItems | undefined;
}

/** How a step ended, for the plan and for the run's own result. */
export interface NodeResult extends StepEnd {
  /** Number of its last attempt; absent when it had none. */
  readonly attempt?: number;
  readonly exitCode?: number;
  readonly error?: string;
  readonly output?: NamedOutput;
}

/** What ended an attempt; the first cause is kept (a timeout is not overwritten by a later stop). */
export type StopCause = 'timeout' | 'abort';

/** How one attempt ended. */
export interface AttemptResult extends ExecutorEnd {
  readonly cause?: StopCause;
  readonly captured?: NamedOutput;
}

export const hasFailed = (result: ExecutorEnd): boolean =>
  result.error !== undefined || result.signal !== undefined || (result.exitCode ?? 0) !== 0;
