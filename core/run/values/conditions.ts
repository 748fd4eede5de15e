import { clip } from '../../base/text/clip.ts';
import { compilePattern } from '../../base/text/pattern.ts';
import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Captured } from '../../process/capture.ts';
import type { Condition } from '../../model/workflow/values.ts';
import { matchLines } from '../../threads/patterns/match-lines.ts';

/** What evaluating a condition needs: our expander, and the shell of the run or step. */
export interface ConditionTools {
  /** Expands `${…}` and backticks; rejects with `SubstitutionError` when a command in it fails. */
  expand(text: string): Promise<string>;
  /** Runs a command with the run's environment, in its working directory. */
  runShell(command: string): Promise<Captured>;
}

/** Why the conditions do not hold. `broken`: one could not be evaluated at all. */
export interface Unmet {
  readonly reason: string;
  readonly broken: boolean;
}

/** Checks conditions in order; the first that does not hold decides (seed 1, Preconditions: all must hold). */
export async function findUnmet(
  conditions: readonly Condition[],
  tools: ConditionTools,
  clock: Clock,
): Promise<Unmet | undefined> {
  for (const condition of conditions) {
    try {
      const unmet =
        condition.kind === 'command'
          ? await checkCommand(condition, tools)
          : await checkExpression(condition, tools, clock);
      if (unmet !== undefined) return { reason: unmet, broken: false };
    } catch (thrown) {
      return brokenBy(thrown);
    }
  }
  return undefined;
}

/** What a condition comes to when something in it, or around it, cannot be evaluated. */
export const brokenBy = (thrown: unknown): Unmet => ({
  reason: `precondition could not be evaluated: ${messageOf(thrown)}`,
  broken: true,
});

/** A command that cannot be started counts as not met, so `negate` makes it met. */
async function checkCommand(
  condition: Extract<Condition, { kind: 'command' }>,
  tools: ConditionTools,
): Promise<string | undefined> {
  const { exitCode, error } = await tools.runShell(condition.command);
  if ((exitCode === 0) !== condition.negate) return undefined;
  return condition.negate
    ? `precondition "${condition.command}" succeeded, and its negation was wanted`
    : `precondition "${condition.command}" was not met: ${error ?? 'it failed'}`;
}

async function checkExpression(
  condition: Extract<Condition, { kind: 'expression' }>,
  tools: ConditionTools,
  clock: Clock,
): Promise<string | undefined> {
  const value = await tools.expand(condition.condition);
  if ((await matches(value, condition.expected, clock)) !== condition.negate) return undefined;
  const wanted = condition.negate ? 'anything but ' : '';
  return `precondition "${condition.condition}" was "${clip(value, 200)}", wanted ${wanted}"${condition.expected}"`;
}

/** Any line of the value may equal the expected text, or match it after `re:`. */
async function matches(value: string, expected: string, clock: Clock): Promise<boolean> {
  const lines = value.split(/\r?\n/);
  if (!expected.startsWith('re:')) return value === expected || lines.includes(expected);
  const found = await matchLines(compilePattern(expected.slice(3)), { lines, limit: 1 }, clock);
  return found.length > 0;
}
