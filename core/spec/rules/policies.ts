import { parseDuration } from '../../base/duration.ts';
import type { RetryPolicy, ContinueOn, RepeatPolicy } from '../../model/step.ts';
import { findNearest } from '../../base/text.ts';
import type { AuthoredRetryPolicy, AuthoredContinueOn, AuthoredRepeatPolicy } from '../authored.ts';
import { type Report, type SourceRef, getField, findField, isIncomplete, getText } from '../source.ts';
import { checkPattern } from './conditions.ts';

export function readRetryPolicy(
  value: AuthoredRetryPolicy | undefined,
  source: SourceRef,
  report: Report,
): RetryPolicy | undefined {
  if (value === undefined) return undefined;
  return {
    limit: readNumberOrExpression(value.limit),
    intervalSec: readNumberOrExpression(value.intervalSec),
    exitCodes: readExitCodes(value.exitCode),
    backoff: readBackoff(value.backoff, source, report),
    maxIntervalSec: readNumber(value.maxIntervalSec),
  };
}

/** Reads the `backoff` of a policy: true is the factor 2, a number must be above 1. Default: 1. */
function readBackoff(
  value: boolean | number | string | undefined,
  policy: SourceRef,
  report: Report,
): number {
  if (value === undefined || value === false) return 1;
  if (value === true) return 2;
  const factor = Number(value);
  if (factor > 1) return factor;
  report.error(
    getField(policy, 'backoff'),
    '"backoff" must be more than 1. Use a value such as 2, or remove it for a constant interval.',
  );
  return 1;
}

const none: ContinueOn = { failure: false, skipped: false, exitCodes: [], output: [], markSuccess: false };

/** Reads `continueOn`: `skipped`, `failed`, or an object. */
export function readContinueOn(
  value: AuthoredContinueOn | undefined,
  source: SourceRef,
  report: Report,
): ContinueOn {
  if (value === undefined) return none;
  if (typeof value === 'string') return readShorthand(value, source, report);
  const output = value.output === undefined ? [] : [value.output].flat();
  output.forEach((text, index) => checkPattern(text, getField(getField(source, 'output'), index), report));
  const { failure, skipped, exitCode, markSuccess } = value;
  if (markSuccess && !failure && !skipped && exitCode === undefined && output.length === 0)
    report.warning(
      getField(source, 'markSuccess'),
      '"markSuccess" has no effect on its own. Add "failure: true", "exitCode" or "output".',
    );
  return {
    failure: failure ?? false,
    skipped: skipped ?? false,
    exitCodes: readExitCodes(exitCode),
    output,
    markSuccess: markSuccess ?? false,
  };
}

function readShorthand(word: string, source: SourceRef, report: Report): ContinueOn {
  switch (word.toLowerCase()) {
    case 'failed':
      return { ...none, failure: true };
    case 'skipped':
      return { ...none, skipped: true };
    default:
      report.error(source, `"continueOn" must be "skipped", "failed" or a map, not "${word.slice(0, 40)}".`);
      return none;
  }
}

/**
 * Reads `repeatPolicy`. Without `repeat`, a condition with an expected value means `until`, and a condition or exit
 * codes alone mean `while`; `repeat: true` without either repeats while the step succeeds.
 * @returns undefined if nothing is repeated
 */
export function readRepeatPolicy(
  value: AuthoredRepeatPolicy | undefined,
  source: SourceRef,
  report: Report,
): RepeatPolicy | undefined {
  if (value === undefined || value.repeat === false) return undefined;
  const condition = readText('condition', source);
  const expected = readText('expected', source);
  const exitCodes = readExitCodes(value.exitCode);
  if (expected !== undefined) checkExpected(expected, condition, source, report);
  const hasReason = condition !== undefined || exitCodes.length > 0;
  if (!hasReason && value.repeat !== true) {
    // The missing key may be the one that was rejected.
    if (!isIncomplete(source)) reportMissingCondition(value.repeat, source, report);
    return undefined;
  }
  const inferred = condition !== undefined && expected !== undefined ? 'until' : 'while';
  return {
    mode: typeof value.repeat === 'string' ? value.repeat : value.repeat === true ? 'while' : inferred,
    condition,
    expected,
    exitCodes,
    intervalSec: Number(value.intervalSec ?? 0),
    limit: Number(value.limit ?? 0) || undefined,
    backoff: readBackoff(value.backoff, source, report),
    maxIntervalSec: readNumber(value.maxIntervalSec),
  };
}

/** Returns a scalar as a string; undefined if it is empty. */
function readText(key: string, policy: SourceRef): string | undefined {
  const field = findField(policy, key);
  const text = field === undefined ? '' : getText(field.node);
  return text.trim() === '' ? undefined : text;
}

function checkExpected(
  expected: string,
  condition: string | undefined,
  policy: SourceRef,
  report: Report,
): void {
  const field = getField(policy, 'expected');
  checkPattern(expected, field, report);
  if (condition === undefined && !isIncomplete(policy)) {
    report.error(field, '"expected" requires a "condition". Add "condition:".');
  }
}

function reportMissingCondition(repeat: string | undefined, source: SourceRef, report: Report): void {
  if (repeat === undefined) {
    report.warning(
      source,
      '"repeatPolicy" has no effect without "condition", "exitCode" or "repeat: true". Add one of them.',
    );
    return;
  }
  report.error(
    getField(source, 'repeat'),
    `"repeat: ${repeat}" requires a condition. Add "condition" or "exitCode", or use "repeat: true" to repeat while the step succeeds.`,
  );
}

/** Reads a number; undefined if there is none. */
export function readNumber(value: number | string | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}

/** Reads a number; a string that is not a number is an expression that is evaluated when the step starts. */
function readNumberOrExpression(value: number | string): number | string {
  const number = Number(value);
  return Number.isNaN(number) ? value : number;
}

/** Reads a duration in seconds; 0 means no limit and is omitted. */
export function readTimeout(value: number | string | undefined): number | undefined {
  return Number(value ?? 0) > 0 ? Number(value) : undefined;
}

/** Reads one exit code or a list of them. */
function readExitCodes(value: number | string | (number | string)[] | undefined): number[] {
  return value === undefined ? [] : [value].flat().map(Number);
}

/** Reads a duration in seconds, as validated by the schema: `90`, `30s`, `1m30s`, `7d`. */
export const readDuration = (value: number | string | undefined): number | undefined =>
  typeof value === 'string' ? parseDuration(value) : value;

/** Signals that a step may specify for stopping: the POSIX signals that a process can catch, and SIGKILL. */
export const stopSignals: readonly string[] = [
  'SIGABRT',
  'SIGALRM',
  'SIGCONT',
  'SIGHUP',
  'SIGINT',
  'SIGKILL',
  'SIGPIPE',
  'SIGQUIT',
  'SIGTERM',
  'SIGUSR1',
  'SIGUSR2',
  'SIGWINCH',
];

/** Reads `signalOnStop`; the prefix `SIG` is optional. */
export function readSignal(value: string | undefined, source: SourceRef, report: Report): string | undefined {
  if (value === undefined) return undefined;
  const upper = value.trim().toUpperCase();
  const name = upper.startsWith('SIG') ? upper : `SIG${upper}`;
  if (stopSignals.includes(name)) return name;
  const near = findNearest(name, stopSignals);
  const hint = near === undefined ? `Valid signals: ${stopSignals.join(', ')}.` : `Did you mean "${near}"?`;
  report.error(source, `Unknown signal "${value.slice(0, 40)}". ${hint}`);
  return undefined;
}
