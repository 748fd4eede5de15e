import type { ContinueOn } from '../model/workflow/step.ts';

/** `stop`: dependents are aborted or skipped. `tolerate`: they go on. `succeed`: the step counts as succeeded, too. */
export type ContinueVerdict = 'stop' | 'tolerate' | 'succeed';

/** What is known of a failed step. */
export interface StepFailure {
  /** Absent when a signal ended the process or none was started. */
  readonly exitCode?: number;
  /** Whether a line of stdout matched; ask {@link needsOutput} first whether it matters. */
  readonly outputMatches?: boolean;
}

/** Judges a failed step by its `continueOn`. Any one of the given keys is enough. */
export function judgeFailure(policy: ContinueOn, { exitCode, outputMatches }: StepFailure): ContinueVerdict {
  const byCode = exitCode !== undefined && policy.exitCodes.includes(exitCode);
  if (!policy.failure && !byCode && !outputMatches) return 'stop';
  return policy.markSuccess ? 'succeed' : 'tolerate';
}

/** Judges a step that was skipped. `markSuccess` is about failures; a skipped step stays skipped. */
export const judgeSkip = (policy: ContinueOn): ContinueVerdict => (policy.skipped ? 'tolerate' : 'stop');

/** Whether {@link judgeFailure} depends on stdout for this failure, so that the log has to be searched. */
export function needsOutput(policy: ContinueOn, exitCode?: number): boolean {
  return policy.output.length > 0 && judgeFailure(policy, { exitCode }) === 'stop';
}
