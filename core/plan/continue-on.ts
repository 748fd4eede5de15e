import { compileExpression } from '../base/text/compile-expression.ts';
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

/** Judges a failed step by its `continueOn` (seed 1, Step fields). Any one of the given keys is enough. */
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

/**
 * A test for one line of stdout: plain items are substrings, `re:` items regular expressions.
 * Throws a SyntaxError on a bad expression; validation refuses those before a run exists.
 */
export function buildLineMatcher(policy: ContinueOn): (line: string) => boolean {
  const tests = policy.output.map((item): ((line: string) => boolean) => {
    if (!item.startsWith('re:')) return (line) => line.includes(item);
    const pattern = compileExpression(item.slice(3));
    return (line) => pattern.test(line);
  });
  return (line) => tests.some((test) => test(line));
}

/** Whether any line matches; stops reading at the first that does. */
export async function matchesAnyLine(
  policy: ContinueOn,
  lines: AsyncIterable<string> | Iterable<string>,
): Promise<boolean> {
  const matches = buildLineMatcher(policy);
  for await (const line of lines) if (matches(line)) return true;
  return false;
}
