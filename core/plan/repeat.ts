import type { RepeatPolicy } from '../model/workflow/step.ts';
import { longestRetryDelayMs } from './retry.ts';

/** A step that has run to an end, retries included, as far as a repetition is concerned. */
export interface EndedExecution {
  readonly succeeded: boolean;
  /** Absent when a signal ended the process or none was started. */
  readonly exitCode?: number;
  /** Whether the policy's condition held afterwards; only looked at when it has one. */
  readonly conditionMet?: boolean;
  /** How often the step has run, this time included. */
  readonly times: number;
}

/**
 * Milliseconds until a step runs again, or undefined when it does not. What counts is the
 * condition, else the exit codes, else the success. The wait is `intervalSec × backoff^times`, at most
 * `maxIntervalSec`: a backoff shows before the second time already.
 */
export function decideRepeat(policy: RepeatPolicy | undefined, ended: EndedExecution): number | undefined {
  if (!policy || (policy.limit !== undefined && ended.times >= policy.limit)) return undefined;
  if (holds(policy, ended) !== (policy.mode === 'while')) return undefined;
  const seconds = policy.intervalSec * policy.backoff ** ended.times;
  const capped = Math.min(seconds, policy.maxIntervalSec ?? Infinity);
  return Math.min(Math.max(0, Math.round(capped * 1000)), longestRetryDelayMs);
}

function holds(policy: RepeatPolicy, { succeeded, exitCode, conditionMet }: EndedExecution): boolean {
  if (policy.condition !== undefined) return conditionMet === true;
  if (policy.exitCodes.length > 0) return exitCode !== undefined && policy.exitCodes.includes(exitCode);
  return succeeded;
}
