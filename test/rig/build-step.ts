import type { ContinueOn, RetryPolicy, Step } from '../../core/model/step.ts';

/** A `continueOn` that tolerates nothing by default. */
export const buildContinueOn = (overrides: Partial<ContinueOn> = {}): ContinueOn => ({
  failure: false,
  skipped: false,
  exitCodes: [],
  output: [],
  markSuccess: false,
  ...overrides,
});

/** A retry policy; by default one immediate retry after any failure. */
export const buildRetry = (overrides: Partial<RetryPolicy> = {}): RetryPolicy => ({
  limit: 1,
  intervalSec: 0,
  exitCodes: [],
  backoff: 1,
  ...overrides,
});

/** A step that by default runs `true` and depends on nothing. */
export const buildStep = (name: string, overrides: Partial<Step> = {}): Step => ({
  name,
  action: { kind: 'command', command: 'true' },
  depends: [],
  env: [],
  continueOn: buildContinueOn(),
  preconditions: [],
  at: { line: 1, column: 1 },
  ...overrides,
});
