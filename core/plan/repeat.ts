import type { RepeatPolicy } from '../model/workflow/step.ts';
import { maxRetryDelayMs } from './retry.ts';

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
