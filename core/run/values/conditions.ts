import { truncate } from '../../base/text.ts';
import { compilePattern } from '../../base/pattern.ts';
import type { Clock } from '../../base/clock.ts';
import { getErrorMessage } from '../../base/errors.ts';
import type { Captured } from '../../process/capture.ts';
import type { Condition, RetryPolicy } from '../../model/step.ts';
import { matchLines } from '../../process/threads/match-lines.ts';

/** Dependencies for evaluating a condition: the expander, and the shell of the run or step. */
export interface ConditionTools {
  /** Expands `${…}` and backticks; rejects with `SubstitutionError` when a command fails. */
  expand(text: string): Promise<string>;
  /** Notes in the run's log that a condition could not be evaluated. */
  warn(message: string): void;
  /** Runs a command with the run's environment, in its working directory. */
  runShell(command: string): Promise<Captured>;
}

/** Why the conditions are not met. `isError`: one could not be evaluated at all. */
export interface ConditionFailure {
  readonly reason: string;
  readonly isError: boolean;
}

/** Checks conditions in order and returns the first one that is not met. */
export async function findFailedCondition(
  conditions: readonly Condition[],
  tools: ConditionTools,
  clock: Clock,
): Promise<ConditionFailure | undefined> {
  for (const condition of conditions) {
    try {
      const failedCondition =
        condition.kind === 'command'
          ? await checkCommand(condition, tools)
          : await checkExpression(condition, tools, clock);
      if (failedCondition !== undefined) return failedCondition;
    } catch (error) {
      return conditionError(error);
    }
  }
  return undefined;
}

/** Returns the result for a condition that cannot be evaluated. */
export const conditionError = (error: unknown): ConditionFailure => ({
  reason: `cannot evaluate the precondition: ${getErrorMessage(error)}`,
  isError: true,
});

/**
 * Checks a command. As in Dagu, a command that the shell cannot find or parse counts as not met, so `negate` makes it
 * met. Because this is usually a mistake, the reason contains the error and the run's log a warning.
 */
async function checkCommand(
  { command, negate }: Extract<Condition, { kind: 'command' }>,
  tools: ConditionTools,
): Promise<ConditionFailure | undefined> {
  const result = await tools.runShell(command);
  const { exitCode, error = 'the command failed' } = result;
  const isError = isShellError(result);
  if (isError) tools.warn(`Cannot run the condition "${command}": ${error}`);
  if ((exitCode === 0) !== negate) return undefined;
  if (negate) return conditionFailure(`precondition "${command}" succeeded, but is negated`);
  if (!isError) return conditionFailure(`precondition "${command}" was not met: ${error}`);
  const remedy = 'Fix the command, or set a "shell" for the step that supports it.';
  return { reason: `cannot run the precondition "${command}": ${error}. ${remedy}`, isError };
}

const conditionFailure = (reason: string): ConditionFailure => ({ reason, isError: false });

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
): Promise<ConditionFailure | undefined> {
  const value = await tools.expand(condition.condition);
  if ((await matches(value, condition.expected, clock)) !== condition.negate) return undefined;
  const negation = condition.negate ? 'anything but ' : '';
  return conditionFailure(
    `precondition "${condition.condition}" was "${truncate(value, 200)}", expected ${negation}"${condition.expected}"`,
  );
}

/** Whether any line of the value equals the expected string, or matches the pattern after `re:`. */
async function matches(value: string, expected: string, clock: Clock): Promise<boolean> {
  const lines = value.split(/\r?\n/);
  if (!expected.startsWith('re:')) return value === expected || lines.includes(expected);
  const matched = await matchLines(compilePattern(expected.slice(3)), { lines, limit: 1 }, clock);
  return matched.length > 0;
}

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
