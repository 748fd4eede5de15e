/** When a delivery that has failed is tried again. */
export interface RetryPolicy {
  /** Seconds to wait before the second attempt, the third, …; empty for GitHub's behaviour: one attempt, ever. */
  readonly waits: readonly number[];
  /** Share of a wait by which it is made longer or shorter at random, so that many do not come back at once. */
  readonly jitter: number;
}

/** 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h: eight attempts in a day and four hours. */
export const defaultRetryPolicy: RetryPolicy = {
  waits: [5, 300, 1800, 7200, 18_000, 36_000, 36_000],
  jitter: 0.2,
};

/** What came of an attempt that did not succeed. */
export interface FailedAttempt {
  /** How many attempts there have been, this one included; from 1. */
  readonly attempts: number;
  /** Absent when there was no HTTP answer. */
  readonly statusCode?: number | undefined;
  readonly timedOut?: boolean | undefined;
  /** The header `Retry-After` as it came. */
  readonly retryAfter?: string | undefined;
}

/** A receiver with too much to do is left in peace for a minute at least. */
const overloadWaitMs = 60_000;
/** Nobody can put off their deliveries for longer than this. */
const longestWaitMs = 86_400_000;

/**
 * Milliseconds until the next attempt, or undefined when there is none. `Retry-After` (RFC 9110, 10.2.3: seconds or
 * a date) can make a wait longer, never shorter. `random` is from 0 to 1, `now` in epoch milliseconds.
 */
export function nextWait(
  failed: FailedAttempt,
  policy: RetryPolicy,
  { now, random }: { readonly now: number; readonly random: number },
): number | undefined {
  const seconds = policy.waits[failed.attempts - 1];
  if (seconds === undefined) return undefined;
  const planned = Math.round(seconds * 1000 * (1 + policy.jitter * (2 * random - 1)));
  const isOverloaded = failed.statusCode === 429 || failed.timedOut === true;
  const least = Math.max(isOverloaded ? overloadWaitMs : 0, readRetryAfter(failed.retryAfter, now));
  return Math.max(planned, Math.min(least, longestWaitMs));
}

/** Milliseconds that a `Retry-After` header asks for; 0 when it asks for nothing that can be understood. */
function readRetryAfter(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now);
}
