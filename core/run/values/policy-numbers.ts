import { truncate } from '../../base/text/truncate.ts';
import type { RetryPolicy } from '../../model/workflow/step.ts';

/** A policy expression that does not evaluate to a number. */
export class PolicyNumberError extends Error {
  override readonly name = 'PolicyNumberError';
}

/** A retry policy whose numbers are resolved. */
export interface ResolvedRetryPolicy extends RetryPolicy {
  readonly limit: number;
  readonly intervalSec: number;
}

/**
 * Evaluates `limit` and `intervalSec` of a policy, which may be expressions. Dagu does not wait when `intervalSec` is a
 * string; Stepwright does. Rejects with `PolicyNumberError` when one is not a number, and with the error of `expand`.
 * @param expand expands with the values that the step can see
 */
export async function resolveRetryPolicy(
  policy: RetryPolicy,
  expand: (text: string) => Promise<string>,
): Promise<ResolvedRetryPolicy> {
  const limit = await resolveNumber('limit', policy.limit, expand);
  const intervalSec = await resolveNumber('intervalSec', policy.intervalSec, expand);
  return { ...policy, limit, intervalSec };
}

const kinds = {
  limit: { pattern: /^[0-9]{1,9}$/, name: 'not a whole number of 0 or more' },
  intervalSec: { pattern: /^[0-9]{1,9}(\.[0-9]{1,9})?$/, name: 'not a number of seconds such as 5 or 0.5' },
} as const;

async function resolveNumber(
  field: keyof typeof kinds,
  setting: number | string,
  expand: (text: string) => Promise<string>,
): Promise<number> {
  if (typeof setting === 'number') return setting;
  const text = (await expand(setting)).trim();
  const { pattern, name } = kinds[field];
  if (pattern.test(text)) return Number(text);
  const value = text === '' ? 'is empty, which is' : `is ${JSON.stringify(truncate(text, 60))}, which is`;
  throw new PolicyNumberError(`retryPolicy.${field}: ${JSON.stringify(setting)} ${value} ${name}`);
}
