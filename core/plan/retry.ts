import type { RetryPolicy } from '../model/workflow/step.ts';

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
