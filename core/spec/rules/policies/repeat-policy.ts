import type { RepeatPolicy } from '../../../model/workflow/step.ts';
import type { AuthoredRepeatPolicy } from '../../authored.ts';
import type { Report } from '../../source/report.ts';
import { findField, isIncomplete, fieldOf, textOf, type SourceRef } from '../../source/source-node.ts';
import { checkPattern } from '../conditions.ts';
import { readExitCodes, readNumber } from '../numbers.ts';
import { readBackoff } from './backoff.ts';

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
  const text = field === undefined ? '' : textOf(field.node);
  return text.trim() === '' ? undefined : text;
}

function checkExpected(
  expected: string,
  condition: string | undefined,
  policy: SourceRef,
  report: Report,
): void {
  const field = fieldOf(policy, 'expected');
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
    fieldOf(source, 'repeat'),
    `"repeat: ${repeat}" requires a condition. Add "condition" or "exitCode", or use "repeat: true" to repeat while the step succeeds.`,
  );
}
