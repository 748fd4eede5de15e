import { clip } from '../../base/text/clip.ts';
import type { RetryPolicy } from '../../model/workflow/step.ts';

/** A number of a policy that its expression does not come to. */
export class PolicyNumberError extends Error {
  override readonly name = 'PolicyNumberError';
}

/** A retry policy whose numbers are numbers. */
export interface ResolvedRetryPolicy extends RetryPolicy {
  readonly limit: number;
  readonly intervalSec: number;
}

/**
 * The policy with `limit` and `intervalSec` evaluated, as they may be expressions. Dagu reads an
 * `intervalSec` given as a text and then does not wait; here it waits.
 * @param expand our expander with what the step can see
 * Rejects with `PolicyNumberError` when one is not a number, and with what `expand` rejects with.
 */
export async function resolveRetryPolicy(
  policy: RetryPolicy,
  expand: (text: string) => Promise<string>,
): Promise<ResolvedRetryPolicy> {
  const limit = await resolveNumber('limit', policy.limit, expand);
  const intervalSec = await resolveNumber('intervalSec', policy.intervalSec, expand);
  return { ...policy, limit, intervalSec };
}

const forms = {
  limit: { pattern: /^[0-9]{1,9}$/, name: 'not a whole number of 0 or more' },
  intervalSec: { pattern: /^[0-9]{1,9}(\.[0-9]{1,9})?$/, name: 'not a number of seconds such as 5 or 0.5' },
} as const;

async function resolveNumber(
  field: keyof typeof forms,
  written: number | string,
  expand: (text: string) => Promise<string>,
): Promise<number> {
  if (typeof written === 'number') return written;
  const text = (await expand(written)).trim();
  const { pattern, name } = forms[field];
  if (pattern.test(text)) return Number(text);
  const value = text === '' ? 'is empty, which is' : `is ${JSON.stringify(clip(text, 60))}, which is`;
  throw new PolicyNumberError(`retryPolicy.${field}: ${JSON.stringify(written)} ${value} ${name}`);
}
