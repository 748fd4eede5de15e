import { describe, expect, it } from 'vitest';
import {
  defaultRetryPolicy,
  nextDelayMs,
  type FailedAttempt,
} from '../../../../core/webhooks/outbound/deliver-message.ts';

const now = Date.UTC(2026, 0, 1);
const wait = (failed: FailedAttempt, { policy = defaultRetryPolicy, random = 0.5 } = {}) =>
  nextDelayMs(failed, policy, { now, random });

describe('time of the next attempt', () => {
  it('follows the schedule and then ends', () => {
    const waits = Array.from({ length: 9 }, (_, index) => wait({ attempts: index + 1, statusCode: 500 }));
    const seconds = [5, 300, 1800, 7200, 18_000, 36_000, 36_000];
    expect(waits).toEqual([...seconds.map((one) => one * 1000), undefined, undefined]);
  });

  it('never comes with an empty schedule, as at GitHub', () => {
    expect(wait({ attempts: 1, statusCode: 500 }, { policy: { waits: [], jitter: 0 } })).toBeUndefined();
  });

  it('has up to a fifth of jitter', () => {
    expect(wait({ attempts: 2 }, { random: 0 })).toBe(240_000);
    expect(wait({ attempts: 2 }, { random: 1 })).toBe(360_000);
  });

  it('waits a minute for an overloaded receiver', () => {
    expect(wait({ attempts: 1, statusCode: 429 })).toBe(60_000);
    expect(wait({ attempts: 1, timedOut: true })).toBe(60_000);
    expect(wait({ attempts: 2, statusCode: 429 })).toBe(300_000);
  });

  it.each([
    ['120', 120_000],
    ['1', 5_000],
    ['Thu, 01 Jan 2026 00:02:00 GMT', 120_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 5_000],
    ['soon', 5_000],
    ['999999999', 86_400_000],
  ])('respects Retry-After: %s', (retryAfter, expected) => {
    expect(wait({ attempts: 1, statusCode: 503, retryAfter })).toBe(expected);
  });
});
