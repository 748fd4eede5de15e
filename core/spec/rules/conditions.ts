import { getErrorMessage } from '../../base/errors.ts';
import { compilePattern } from '../../base/pattern.ts';
import type { Condition } from '../../model/step.ts';
import type { AuthoredCondition, AuthoredConditions } from '../authored.ts';
import { type Report, isIncomplete, getField, getText, type SourceRef } from '../source.ts';

/**
 * Reads `preconditions`. A string, or a `condition` without `expected`, is a command that must succeed. With
 * `expected`, `command` is the same as `condition`.
 */
export function readConditions(
  value: AuthoredConditions | undefined,
  source: SourceRef,
  report: Report,
): Condition[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return readCondition(value, source, report);
  return value.flatMap((item, index) => readCondition(item, getField(source, index), report));
}

function readCondition(value: string | AuthoredCondition, source: SourceRef, report: Report): Condition[] {
  if (typeof value === 'string') return readCommand(value, false, source, report);
  const { condition, command, expected, negate = false } = value;
  if ((condition === undefined) === (command === undefined)) {
    // The missing key is the one that was rejected.
    if (condition === undefined && isIncomplete(source)) return [];
    report.error(source, 'A precondition requires either "condition" or "command", not both.');
    return [];
  }
  const expectedText = expected === undefined ? '' : getText(getField(source, 'expected').node);
  const at = getField(source, command === undefined ? 'condition' : 'command');
  if (expectedText === '') return readCommand(getText(at.node), negate, at, report);
  if (command !== undefined && !/[`$]/.test(command)) {
    report.warning(
      at,
      `With "expected", the text itself is compared, not the output of a command. To compare the output, use condition: "\`${command.slice(0, 60)}\`".`,
    );
  }
  checkPattern(expectedText, getField(source, 'expected'), report);
  return [{ kind: 'expression', condition: getText(at.node), expected: expectedText, negate }];
}

function readCommand(command: string, negate: boolean, source: SourceRef, report: Report): Condition[] {
  if (command.trim() !== '') return [{ kind: 'command', command, negate }];
  report.error(source, 'The precondition is empty. Add a command, or remove it.');
  return [];
}

/** Reports a `re:PATTERN` string with an invalid pattern. */
export function checkPattern(text: string, source: SourceRef, report: Report): void {
  if (!text.startsWith('re:')) return;
  try {
    compilePattern(text.slice(3));
  } catch (error) {
    report.error(source, getErrorMessage(error));
  }
}
