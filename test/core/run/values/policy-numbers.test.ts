import { describe, expect, test } from 'vitest';
import type { RetryPolicy } from '../../../../core/model/step.ts';
import { PolicyNumberError, resolveRetryPolicy } from '../../../../core/run/values/conditions.ts';
import { decideRetry } from '../../../../core/spec/plan/policies.ts';

const policy = (own: Partial<RetryPolicy>): RetryPolicy => ({
  limit: 1,
  intervalSec: 2,
  exitCodes: [75],
  backoff: 2,
  ...own,
});
const values: Record<string, string> = { N: ' 3\n', HALF: '0.5', WORD: 'abc', BELOW: '-1', NONE: '' };
const expand = (text: string): Promise<string> =>
  Promise.resolve(text.replaceAll(/\$\{(\w+)\}/g, (_whole, name: string) => values[name] ?? ''));

describe('numbers of a retry policy', () => {
  test('are unchanged when they are numbers', async () => {
    const refuse = (): Promise<string> => Promise.reject(new Error('nothing to expand'));
    expect(await resolveRetryPolicy(policy({ maxIntervalSec: 9 }), refuse)).toEqual(
      policy({ maxIntervalSec: 9 }),
    );
  });

  test('are the values of their expressions, and the delay is applied', async () => {
    const resolved = await resolveRetryPolicy(policy({ limit: '${N}', intervalSec: '${HALF}' }), expand);
    expect(resolved).toEqual(policy({ limit: 3, intervalSec: 0.5 }));
    expect(decideRetry(resolved, { attempt: 1, exitCode: 75, timedOut: false, aborted: false })).toBe(500);
  });

  test.each([
    [{ limit: '${WORD}' }, 'retryPolicy.limit: "${WORD}" is "abc", which is not a whole number of 0 or more'],
    [{ limit: '${HALF}' }, 'retryPolicy.limit: "${HALF}" is "0.5", which is not a whole number of 0 or more'],
    [
      { limit: '${BELOW}' },
      'retryPolicy.limit: "${BELOW}" is "-1", which is not a whole number of 0 or more',
    ],
    [{ limit: '${NONE}' }, 'retryPolicy.limit: "${NONE}" is empty, which is not a whole number of 0 or more'],
    [
      { limit: '9999999999' },
      'retryPolicy.limit: "9999999999" is "9999999999", which is not a whole number of 0 or more',
    ],
    [
      { intervalSec: '${BELOW}' },
      'retryPolicy.intervalSec: "${BELOW}" is "-1", which is not a number of seconds such as 5 or 0.5',
    ],
    [
      { intervalSec: 'Infinity' },
      'retryPolicy.intervalSec: "Infinity" is "Infinity", which is not a number of seconds such as 5 or 0.5',
    ],
  ])('are rejected: %j', async (own, message) => {
    await expect(resolveRetryPolicy(policy(own), expand)).rejects.toThrow(new PolicyNumberError(message));
  });

  test('are shown in part when they are long', async () => {
    const long = resolveRetryPolicy(policy({ limit: '${X}' }), () => Promise.resolve('x'.repeat(1000)));
    await expect(long).rejects.toThrow(`is "${'x'.repeat(60)}…", which`);
  });
});
