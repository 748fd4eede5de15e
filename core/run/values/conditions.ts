import { truncate } from '../../base/text/truncate.ts';
import { compilePattern } from '../../base/text/pattern.ts';
import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Captured } from '../../process/capture.ts';
import type { Condition } from '../../model/workflow/values.ts';
import { matchLines } from '../../threads/patterns/match-lines.ts';

/** Dependencies for evaluating a condition: the expander, and the shell of the run or step. */
export interface ConditionTools {
  /** Expands `${…}` and backticks; rejects with `SubstitutionError` when a command fails. */
  expand(text: string): Promise<string>;
  /** Notes in the run's log that a condition could not be evaluated. */
  warn(message: string): void;
  /** Runs a command with the run's environment, in its working directory. */
  runShell(command: string): Promise<Captured>;
}

/** Why the conditions are not met. `broken`: one could not be evaluated at all. */
export interface Unmet {
  readonly reason: string;
  readonly broken: boolean;
}

/** Checks conditions in order and returns the first one that is not met. */
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
      if (unmet !== undefined) return unmet;
    } catch (error) {
      return brokenBy(error);
    }
  }
  return undefined;
}

/** Returns the result for a condition that cannot be evaluated. */
export const brokenBy = (error: unknown): Unmet => ({
  reason: `cannot evaluate the precondition: ${messageOf(error)}`,
  broken: true,
});

/**
 * Checks a command. As in Dagu, a command that the shell cannot find or parse counts as not met, so `negate` makes it
 * met. Because this is usually a mistake, the reason contains the error and the run's log a warning.
 */
async function checkCommand(
  { command, negate }: Extract<Condition, { kind: 'command' }>,
  tools: ConditionTools,
): Promise<Unmet | undefined> {
  const result = await tools.runShell(command);
  const { exitCode, error = 'the command failed' } = result;
  const broken = isShellError(result);
  if (broken) tools.warn(`Cannot run the condition "${command}": ${error}`);
  if ((exitCode === 0) !== negate) return undefined;
  if (negate) return unmetBy(`precondition "${command}" succeeded, but is negated`);
  if (!broken) return unmetBy(`precondition "${command}" was not met: ${error}`);
  const remedy = 'Fix the command, or set a "shell" for the step that supports it.';
  return { reason: `cannot run the precondition "${command}": ${error}. ${remedy}`, broken };
}

const unmetBy = (reason: string): Unmet => ({ reason, broken: false });

/** How error messages of sh, dash, bash, ksh and zsh start for a command that they cannot parse. */
const syntaxError = /(^|: )[^\s:]{0,200}sh:(?: -c:)?(?: ?(?:line )?\d+:)? ?(?:syntax error|parse error)/im;

/** Whether the shell did not run the command, because it was not found, not executable or not parsed. */
function isShellError({ exitCode, error = '', refused }: Captured): boolean {
  if (exitCode === 126 || exitCode === 127 || refused !== undefined) return true;
  return exitCode !== 0 && syntaxError.test(error);
}

async function checkExpression(
  condition: Extract<Condition, { kind: 'expression' }>,
  tools: ConditionTools,
  clock: Clock,
): Promise<Unmet | undefined> {
  const value = await tools.expand(condition.condition);
  if ((await matches(value, condition.expected, clock)) !== condition.negate) return undefined;
  const wanted = condition.negate ? 'anything but ' : '';
  return unmetBy(
    `precondition "${condition.condition}" was "${truncate(value, 200)}", expected ${wanted}"${condition.expected}"`,
  );
}

/** Whether any line of the value equals the expected string, or matches the pattern after `re:`. */
async function matches(value: string, expected: string, clock: Clock): Promise<boolean> {
  const lines = value.split(/\r?\n/);
  if (!expected.startsWith('re:')) return value === expected || lines.includes(expected);
  const found = await matchLines(compilePattern(expected.slice(3)), { lines, limit: 1 }, clock);
  return found.length > 0;
}
