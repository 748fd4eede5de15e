import type { Condition, Field } from '../../query/query.ts';
import { GatewayError } from '../../gateway-error.ts';
import { comparableValue, findColumn, findValue, type Scope } from '../select/field.ts';
import { join, type Sql, sql } from '../sql.ts';
import { type Operand, testSql } from './test.ts';

/** Scope of conditions: columns and embedded resources. */
export interface ConditionScope extends Scope {
  /** Returns SQL for whether an embedded resource has rows; undefined if the name is unknown. */
  findEmbedded(name: string): Sql | undefined;
}

/** Returns the SQL of all conditions. */
export const conditionsSql = (scope: ConditionScope, conditions: readonly Condition[]): readonly Sql[] =>
  conditions.map((condition) => conditionSql(scope, condition));

function conditionSql(scope: ConditionScope, condition: Condition): Sql {
  const { isNegated } = condition;
  if (condition.kind !== 'test') {
    const operands = conditionsSql(scope, condition.conditions);
    const all = join(operands, condition.kind === 'and' ? ' AND ' : ' OR ');
    return isNegated ? sql`NOT (${all})` : sql`(${all})`;
  }
  const test =
    nullTestOfEmbedded(scope, condition) ?? testSql(findOperand(scope, condition.field), condition.test);
  return isNegated ? sql`(NOT ${test})` : sql`(${test})`;
}

/**
 * Handles `resource=is.null`, which selects rows without embedded rows.
 * @throws GatewayError PGRST120 for any other test, unless a column has the same name
 */
function nullTestOfEmbedded(
  scope: ConditionScope,
  { field, test }: Extract<Condition, { kind: 'test' }>,
): Sql | undefined {
  const found = field.json.length === 0 ? scope.findEmbedded(field.column) : undefined;
  if (!found) return undefined;
  if (test.operator === 'is' && test.value === 'null') return sql`${found} IS NULL`;
  if (test.operator === 'is' && test.value === 'not_null') return sql`${found} IS NOT NULL`;
  if (findColumn(scope, field.column)) return undefined;
  throw new GatewayError(400, 'PGRST120', `Bad operator on the '${field.column}' embedded resource`, {
    details: 'Only is.null, is.not_null and not.is.null filters are allowed on embedded resources',
    hint: `To filter by one of its columns, use ${field.column}.column=${test.operator}.…`,
  });
}

function findOperand(scope: ConditionScope, field: Field): Operand {
  const column = findColumn(scope, field.column);
  const isInside = field.json.length > 0;
  const known = isInside ? undefined : findValue(scope, field.column);
  return {
    value: comparableValue(scope, field),
    conversion: known?.representation?.filter,
    comparedAs: known?.comparedAs ?? undefined,
    isText: isInside || (column !== undefined && column.baseTypeSql !== 'tsvector'),
  };
}
