import type { ContinueOn, RepeatPolicy, RetryPolicy } from '../../model/step.ts';
import { hasSucceeded, isFinal, isFulfilled, type RunStatus, type StepStatus } from '../../model/run.ts';

/** `stop`: dependents are aborted or skipped. `tolerate`: they run. `succeed`: the step also counts as succeeded. */
export type ContinueDecision = 'stop' | 'tolerate' | 'succeed';

/** How a step has failed. */
export interface StepFailure {
  /** Absent when a signal ended the process or none was started. */
  readonly exitCode?: number;
  /** Whether a line of stdout matched; check {@link needsOutput} first. */
  readonly outputMatches?: boolean;
}

/** Applies `continueOn` to a failed step. Any one of its conditions is enough. */
export function evaluateFailure(
  policy: ContinueOn,
  { exitCode, outputMatches }: StepFailure,
): ContinueDecision {
  const byCode = exitCode !== undefined && policy.exitCodes.includes(exitCode);
  if (!policy.failure && !byCode && !outputMatches) return 'stop';
  return policy.markSuccess ? 'succeed' : 'tolerate';
}

/** Applies `continueOn` to a skipped step. `markSuccess` only affects failures; a skipped step stays skipped. */
export const evaluateSkip = (policy: ContinueOn): ContinueDecision => (policy.skipped ? 'tolerate' : 'stop');

/** Whether {@link evaluateFailure} depends on stdout for this failure, so that the log has to be searched. */
export function needsOutput(policy: ContinueOn, exitCode?: number): boolean {
  return policy.output.length > 0 && evaluateFailure(policy, { exitCode }) === 'stop';
}

/** A completed execution of a step, retries included, as input for a repetition. */
export interface EndedExecution {
  readonly succeeded: boolean;
  /** Absent when a signal ended the process or none was started. */
  readonly exitCode?: number;
  /** Whether the policy's condition was met afterwards; only used when it has one. */
  readonly conditionMet?: boolean;
  /** How often the step has run, including this execution. */
  readonly times: number;
}

/**
 * Returns the milliseconds until a step repeats, or undefined when it does not. The condition decides, otherwise the
 * exit codes, otherwise the success. The delay is `intervalSec × backoff^times`, at most `maxIntervalSec`: the backoff
 * applies before the second execution already.
 */
export function decideRepeat(
  policy: RepeatPolicy | undefined,
  execution: EndedExecution,
): number | undefined {
  if (!policy || (policy.limit !== undefined && execution.times >= policy.limit)) return undefined;
  if (isConditionMet(policy, execution) !== (policy.mode === 'while')) return undefined;
  const seconds = policy.intervalSec * policy.backoff ** execution.times;
  const capped = Math.min(seconds, policy.maxIntervalSec ?? Infinity);
  return Math.min(Math.max(0, Math.round(capped * 1000)), maxRetryDelayMs);
}

function isConditionMet(
  policy: RepeatPolicy,
  { succeeded, exitCode, conditionMet }: EndedExecution,
): boolean {
  if (policy.condition !== undefined) return conditionMet === true;
  if (policy.exitCodes.length > 0) return exitCode !== undefined && policy.exitCodes.includes(exitCode);
  return succeeded;
}

/** A failed attempt, as input for a retry. */
export interface FailedAttempt {
  /** 1 for the first. */
  readonly attempt: number;
  /** Absent when a signal ended the process or none was started. */
  readonly exitCode?: number;
  /** The step timed out; such an attempt is never retried. */
  readonly timedOut: boolean;
  /** The run is being stopped; such an attempt is never retried. */
  readonly aborted: boolean;
}

/** The longest delay between attempts, however large the backoff grows. */
export const maxRetryDelayMs = 365 * 24 * 3600 * 1000;

/**
 * Returns the milliseconds until the next attempt, or undefined when there is none.
 *
 * The delay before retry n (from 0) is `intervalSec × backoff^n`, at most `maxIntervalSec`. With `exitCodes`, any other
 * end (including a signal) is final.
 */
export function decideRetry(policy: RetryPolicy | undefined, failed: FailedAttempt): number | undefined {
  if (!policy || failed.timedOut || failed.aborted || !(failed.attempt <= Number(policy.limit)))
    return undefined;
  if (policy.exitCodes.length > 0 && !policy.exitCodes.some((code) => code === failed.exitCode))
    return undefined;
  const seconds = Number(policy.intervalSec) * policy.backoff ** (failed.attempt - 1);
  const capped = Math.min(seconds, policy.maxIntervalSec ?? Infinity);
  return Math.min(Math.max(0, Math.round(capped * 1000)), maxRetryDelayMs);
}

/** The final state of a step. */
export interface NodeOutcome {
  readonly status: StepStatus;
  /** Whether `continueOn` tolerates its failure. */
  readonly tolerated: boolean;
}

/** Input for the final status of a run. */
export interface RunOutcome {
  readonly nodes: readonly NodeOutcome[];
  /** The run was cancelled: stopped, its preconditions were not met, or its init handler failed. */
  readonly cancelled: boolean;
  /** An error outside the steps, such as the timeout of the run. */
  readonly error: boolean;
  /** A success, failure or exit handler failed. */
  readonly handlerFailed?: boolean;
}

/**
 * Returns the status of a run from the states of its steps; the first matching rule decides: cancelled with unfinished
 * work → `aborted`; a handler failed → `failed`; something unfinished → `running`; only tolerated failures, and a
 * success → `partially_succeeded`; any error → `failed`; otherwise `succeeded`.
 */
export function decideFinalStatus({ nodes, cancelled, error, handlerFailed }: RunOutcome): RunStatus {
  if (cancelled && (nodes.length === 0 || !nodes.every(({ status }) => isFulfilled(status))))
    return 'aborted';
  if (handlerFailed) return 'failed';
  if (nodes.some(({ status }) => !isFinal(status))) return 'running';
  if (!error && isPartial(nodes)) return 'partially_succeeded';
  const failed = nodes.some(({ status }) => status === 'failed' || status === 'aborted');
  return error || failed ? 'failed' : 'succeeded';
}

/** Whether something succeeded, something failed, and all failures were tolerated. */
function isPartial(nodes: readonly NodeOutcome[]): boolean {
  const succeeded = nodes.some(({ status }) => hasSucceeded(status));
  const hasPartial = nodes.some(
    ({ status, tolerated }) => status === 'partially_succeeded' || (status === 'failed' && tolerated),
  );
  const hasFailure = nodes.some(
    ({ status, tolerated }) => (status === 'failed' || status === 'aborted') && !tolerated,
  );
  return succeeded && hasPartial && !hasFailure;
}
