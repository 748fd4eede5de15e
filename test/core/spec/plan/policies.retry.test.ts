import { describe, expect, it } from 'vitest';
import { decideRetry, maxRetryDelayMs } from '../../../../core/spec/plan/policies.ts';
import { buildRetry } from '../../../harness/samples.ts';

const failure = { attempt: 1, exitCode: 1, timedOut: false, aborted: false };

describe('decideRetry', () => {
  it('retries up to the limit', () => {
    const policy = buildRetry({ limit: 2, intervalSec: 3 });
    const delays = [1, 2, 3].map((attempt) => decideRetry(policy, { ...failure, attempt }));
    expect(delays).toEqual([3000, 3000, undefined]);
  });

  it('never retries without a policy, after a timeout or after an abort', () => {
    expect(decideRetry(undefined, failure)).toBeUndefined();
    expect(decideRetry(buildRetry(), { ...failure, timedOut: true })).toBeUndefined();
    expect(decideRetry(buildRetry(), { ...failure, aborted: true })).toBeUndefined();
  });

  it('multiplies the delay by the backoff each time, up to the maximum', () => {
    const policy = buildRetry({ limit: 5, intervalSec: 2, backoff: 3, maxIntervalSec: 20 });
    const delays = [1, 2, 3, 4].map((attempt) => decideRetry(policy, { ...failure, attempt }));
    expect(delays).toEqual([2000, 6000, 18_000, 20_000]);
  });

  it('retries only after the listed exit codes, if there are any', () => {
    const policy = buildRetry({ exitCodes: [42] });
    expect(decideRetry(policy, { ...failure, exitCode: 42 })).toBe(0);
    expect(decideRetry(policy, failure)).toBeUndefined();
    expect(decideRetry(policy, { ...failure, exitCode: undefined })).toBeUndefined();
  });

  it('never waits forever', () => {
    const policy = buildRetry({ limit: 10_000, intervalSec: 1, backoff: 10 });
    expect(decideRetry(policy, { ...failure, attempt: 5000 })).toBe(maxRetryDelayMs);
  });
});
