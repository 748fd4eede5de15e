import type { JsonObject, JsonValue } from '../../../../core/base/json.ts';
import type { AuthoredPath } from '../../../../core/edit/outline.ts';
import { textOfValue } from '../form/form-context.ts';

export type ConditionKind = 'command' | 'equals' | 'matches';

/** One condition, as a row. */
export interface ConditionRow {
  /** Path from the field to it; empty for a single condition outside a list. */
  readonly path: AuthoredPath;
  readonly kind: ConditionKind;
  /** The command or the compared value. */
  readonly subject: string;
  /** Key that the subject is written under; absent for a condition written as a string. */
  readonly key?: 'command' | 'condition';
  /** Without `re:`. */
  readonly expected: string;
  readonly isNegated: boolean;
}

export function readConditions(value: JsonValue): readonly ConditionRow[] {
  if (value === null) return [];
  return Array.isArray(value) ? value.map((item, index) => readRow(item, [index])) : [readRow(value, [])];
}

function readRow(value: JsonValue, path: AuthoredPath): ConditionRow {
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    return { path, kind: 'command', subject: textOfValue(value), expected: '', isNegated: false };
  const key = value['command'] === undefined ? 'condition' : 'command';
  const expected = textOfValue(value['expected']);
  const kind =
    value['expected'] === undefined ? 'command' : expected.startsWith('re:') ? 'matches' : 'equals';
  return {
    path,
    kind,
    key,
    subject: textOfValue(value[key]),
    expected: kind === 'matches' ? expected.slice(3) : expected,
    isNegated: value['negate'] === true,
  };
}

/** Rewrites a condition as another kind. */
export function writeCondition(
  { subject, expected, isNegated }: ConditionRow,
  kind: ConditionKind,
): JsonValue {
  const negate: JsonObject = isNegated ? { negate: true } : {};
  if (kind === 'command') return isNegated ? { command: subject, ...negate } : subject;
  return { condition: subject, expected: kind === 'matches' ? `re:${expected}` : expected, ...negate };
}
