/** Retry policy of deliveries. */
export interface RetryPolicy {
  /** Delays before the second attempt, the third, … in seconds; empty for GitHub's behaviour: a single attempt. */
  readonly waits: readonly number[];
  /** Random share of a delay, in both directions, so that retries do not coincide. */
  readonly jitter: number;
}

/** 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h: eight attempts in 28 hours. */
export const defaultRetryPolicy: RetryPolicy = {
  waits: [5, 300, 1800, 7200, 18_000, 36_000, 36_000],
  jitter: 0.2,
};

/** A failed attempt. */
export interface FailedAttempt {
  /** Number of attempts so far, including this one; from 1. */
  readonly attempts: number;
  /** Absent without an HTTP response. */
  readonly statusCode?: number | undefined;
  readonly timedOut?: boolean | undefined;
  /** `Retry-After` header as received. */
  readonly retryAfter?: string | undefined;
}

/** Minimum delay after an overload response. */
const overloadWaitMs = 60_000;
/** Maximum delay that a receiver can request. */
const maxWaitMs = 86_400_000;

/**
 * Returns milliseconds until the next attempt; undefined if there is none. `Retry-After` (RFC 9110, 10.2.3: seconds or
 * a date) can extend a delay, never shorten it. `random` is from 0 to 1, `now` in epoch milliseconds.
 */
export function nextDelayMs(
  failed: FailedAttempt,
  policy: RetryPolicy,
  { now, random }: { readonly now: number; readonly random: number },
): number | undefined {
  const seconds = policy.waits[failed.attempts - 1];
  if (seconds === undefined) return undefined;
  const planned = Math.round(seconds * 1000 * (1 + policy.jitter * (2 * random - 1)));
  const isOverloaded = failed.statusCode === 429 || failed.timedOut === true;
  const min = Math.max(isOverloaded ? overloadWaitMs : 0, readRetryAfter(failed.retryAfter, now));
  return Math.max(planned, Math.min(min, maxWaitMs));
}

/** Returns the milliseconds of a `Retry-After` header; 0 if invalid. */
function readRetryAfter(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now);
}
