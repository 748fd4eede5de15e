import type { ContinueOn } from '../model/workflow/step.ts';

/** `stop`: dependents are aborted or skipped. `tolerate`: they run. `succeed`: the step also counts as succeeded. */
export type ContinueVerdict = 'stop' | 'tolerate' | 'succeed';

/** How a step has failed. */
export interface StepFailure {
  /** Absent when a signal ended the process or none was started. */
  readonly exitCode?: number;
  /** Whether a line of stdout matched; check {@link needsOutput} first. */
  readonly outputMatches?: boolean;
}

/** Applies `continueOn` to a failed step. Any one of its conditions is enough. */
export function evaluateFailure(
  policy: ContinueOn,
  { exitCode, outputMatches }: StepFailure,
): ContinueVerdict {
  const byCode = exitCode !== undefined && policy.exitCodes.includes(exitCode);
  if (!policy.failure && !byCode && !outputMatches) return 'stop';
  return policy.markSuccess ? 'succeed' : 'tolerate';
}

/** Applies `continueOn` to a skipped step. `markSuccess` only affects failures; a skipped step stays skipped. */
export const evaluateSkip = (policy: ContinueOn): ContinueVerdict => (policy.skipped ? 'tolerate' : 'stop');

/** Whether {@link evaluateFailure} depends on stdout for this failure, so that the log has to be searched. */
export function needsOutput(policy: ContinueOn, exitCode?: number): boolean {
  return policy.output.length > 0 && evaluateFailure(policy, { exitCode }) === 'stop';
}
