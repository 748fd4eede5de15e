import type { ContinueOn, RetryPolicy, Step } from '../../core/model/workflow/step.ts';

/** A `continueOn` that tolerates nothing by default. */
export const buildContinueOn = (given: Partial<ContinueOn> = {}): ContinueOn => ({
  failure: false,
  skipped: false,
  exitCodes: [],
  output: [],
  markSuccess: false,
  ...given,
});

/** A retry policy; by default one immediate retry after any failure. */
export const buildRetry = (given: Partial<RetryPolicy> = {}): RetryPolicy => ({
  limit: 1,
  intervalSec: 0,
  exitCodes: [],
  backoff: 1,
  ...given,
});

/** A step that by default runs `true` and depends on nothing. */
export const buildStep = (name: string, given: Partial<Step> = {}): Step => ({
  name,
  action: { kind: 'command', command: 'true' },
  depends: [],
  env: [],
  continueOn: buildContinueOn(),
  preconditions: [],
  at: { line: 1, column: 1 },
  ...given,
});
