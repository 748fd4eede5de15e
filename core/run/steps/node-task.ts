import type { JsonValue } from '../../base/json.ts';
import type { ExecutorResult } from '../../executors/executor.ts';
import type { NodeId } from '../../model/run-event.ts';
import type { Step } from '../../model/step.ts';
import type { StepOutcome } from '../../spec/plan/plan.ts';
import type { AttemptRecord, ItemRecord } from '../../model/run.ts';
import type { Clock } from '../../base/clock.ts';
import type { Outputs } from '../values/run-scope.ts';
import type { CompletedItems } from './items-attempt.ts';

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

/** A node that was running when the host of its run was lost. Times in epoch milliseconds. */
export interface OpenNode {
  /** How often it has run, including the current or just completed series. */
  readonly times: number;
  /** Attempts of the series so far that count against the limit of retries. */
  readonly count: number;
  /** Its newest attempt. */
  readonly attempt: AttemptRecord;
  /** Kind and time of its next attempt; absent while `attempt` is running. */
  readonly due?: { readonly kind: 'retry' | 'repeat'; readonly at: number };
  /** Items that `attempt` has started. */
  readonly items: readonly ItemRecord[];
  /**
   * Whether the machine has been up since then: processes from before a reboot have ended, even if their pids are in
   * use again.
   */
  readonly isSameBoot: boolean;
}

/**
 * Returns when the wait for its next attempt is over, in epoch milliseconds. If the clock was set back since, not later
 * than if the wait started now.
 */
export function findDue(
  { due, attempt }: Pick<OpenNode, 'due' | 'attempt'>,
  now: number,
): number | undefined {
  if (due === undefined || attempt.finishedAt === undefined) return due?.at;
  return Math.min(due.at, now + Math.max(0, due.at - attempt.finishedAt));
}

/** Waits; resolves to false, at once, when the signal is aborted. */
export function waitUnlessAborted(clock: Clock, delayMs: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (hasElapsed: boolean): void => {
      dispose();
      signal.removeEventListener('abort', stop);
      resolve(hasElapsed);
    };
    const stop = (): void => finish(false);
    const dispose = clock.after(delayMs, () => finish(true));
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
  });
}
