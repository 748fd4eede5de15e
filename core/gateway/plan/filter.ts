import type { Condition, Field, PlainOperator, SearchOperator, Test } from '../query/query.ts';
import { GatewayError } from '../gateway-error.ts';
import type { Conversion } from '../catalog/catalog.ts';
import { comparableValue, findColumn, findValue, type Scope } from './select-node.ts';
import { join, type Sql, sql, bind, catalogSql } from './sql.ts';

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
    getEmbeddedNullTest(scope, condition) ?? testSql(findOperand(scope, condition.field), condition.test);
  return isNegated ? sql`(NOT ${test})` : sql`(${test})`;
}

/**
 * Handles `resource=is.null`, which selects rows without embedded rows.
 * @throws GatewayError PGRST120 for any other test, unless a column has the same name
 */
function getEmbeddedNullTest(
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

/** Left side of a test. */
interface Operand {
  readonly value: Sql;
  /** Conversion of strings to the value's domain. */
  readonly conversion?: Conversion | undefined;
  /** SQL type that the value is cast to for comparison. */
  readonly comparedAs?: string | undefined;
  /** Whether it must be converted to `tsvector` for a search. */
  readonly isText: boolean;
}

const operators: Record<Exclude<PlainOperator, 'isdistinct'>, string> = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  like: 'LIKE',
  ilike: 'ILIKE',
  match: '~',
  imatch: '~*',
  cs: '@>',
  cd: '<@',
  ov: '&&',
  sl: '<<',
  sr: '>>',
  nxr: '&<',
  nxl: '&>',
  adj: '-|-',
};

const searches: Record<SearchOperator, string> = {
  fts: 'to_tsquery',
  plfts: 'plainto_tsquery',
  phfts: 'phraseto_tsquery',
  wfts: 'websearch_to_tsquery',
};

const keywords = {
  null: 'NULL',
  not_null: 'NOT NULL',
  true: 'TRUE',
  false: 'FALSE',
  unknown: 'UNKNOWN',
} as const;

/** Returns a test as SQL. The left side is not wrapped, so that indexes are used. */
function testSql(operand: Operand, test: Test): Sql {
  if (test.operator === 'is') return sql`${operand.value} IS ${catalogSql(keywords[test.value])}`;
  if (test.operator === 'in')
    return sql`${operand.value} = ANY (${arraySql(operand, operand.conversion, test.values)})`;
  if (isSearch(test)) return searchSql(operand, test);
  // A pattern is not a value of the domain, so it cannot be converted.
  const conversion = isPattern(test.operator) ? undefined : operand.conversion;
  if ('values' in test) {
    const texts = test.values.map((text) => patternText(test.operator, text));
    const quantifier = catalogSql(test.quantifier === 'any' ? 'ANY' : 'ALL');
    return sql`${operand.value} ${operatorSql(test.operator)} ${quantifier} (${arraySql(operand, conversion, texts)})`;
  }
  const value = bind(patternText(test.operator, test.value));
  const converted = conversion ? castToComparison(operand, convertValue(conversion, value)) : value;
  return sql`${operand.value} ${operatorSql(test.operator)} ${converted}`;
}

/** Casts a converted value to the comparison type. */
const castToComparison = ({ comparedAs }: Operand, converted: Sql, suffix = ''): Sql =>
  comparedAs === undefined ? converted : sql`${converted}::${catalogSql(comparedAs + suffix)}`;

const isSearch = (test: Test): test is Extract<Test, { operator: SearchOperator }> =>
  test.operator in searches;

const isPattern = (operator: PlainOperator): boolean =>
  operator === 'like' || operator === 'ilike' || operator === 'match' || operator === 'imatch';

const operatorSql = (operator: PlainOperator): Sql =>
  catalogSql(operator === 'isdistinct' ? 'IS DISTINCT FROM' : operators[operator]);

/** Replaces `*` by `%`, which would need escaping in a URL. */
const patternText = (operator: PlainOperator, text: string): string =>
  operator === 'like' || operator === 'ilike' ? text.replaceAll('*', '%') : text;

const arraySql = (operand: Operand, conversion: Conversion | undefined, texts: readonly string[]): Sql =>
  conversion ? castToComparison(operand, convertTexts(conversion, texts), '[]') : bind(arrayLiteral(texts));

function searchSql(
  { value, isText }: Operand,
  test: { operator: SearchOperator; language?: string; value: string },
): Sql {
  const language = test.language === undefined ? undefined : sql`${bind(test.language)}::regconfig, `;
  const before = language ?? sql``;
  const document = isText ? sql`to_tsvector(${before}${value})` : value;
  return sql`${document} @@ ${catalogSql(searches[test.operator])}(${before}${bind(test.value)}::text)`;
}

/**
 * Returns a request value converted by a domain's conversion. A VOLATILE conversion (the default of functions) is
 * wrapped in a subquery, so that it runs once instead of once per row, and indexes are used.
 */
export function convertValue(conversion: Conversion, value: Sql): Sql {
  const call = sql`${catalogSql(conversion.functionSql)}(${value}::${catalogSql(conversion.argumentTypeSql)})`;
  return conversion.volatility === 'volatile' ? sql`(SELECT ${call})` : call;
}

/** Returns several strings as an array of converted values, converted once. */
export function convertTexts(conversion: Conversion, texts: readonly string[]): Sql {
  const call = sql`${catalogSql(conversion.functionSql)}("one"."text"::${catalogSql(conversion.argumentTypeSql)})`;
  return sql`ARRAY(SELECT ${call} FROM unnest(${bind(arrayLiteral(texts))}::text[]) AS "one"("text"))`;
}

/** Returns a PostgreSQL array literal: `{"a","b"}`. */
export const arrayLiteral = (texts: readonly string[]): string =>
  `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
