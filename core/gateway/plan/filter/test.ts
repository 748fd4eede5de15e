import type { Conversion } from '../../catalog/catalog.ts';
import type { PlainOperator, SearchOperator, Test } from '../../query/query.ts';
import { bind, type Sql, sql, catalogSql } from '../sql.ts';
import { arrayLiteral, convertTexts, convertValue } from './conversion.ts';

/** Left side of a test. */
export interface Operand {
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
export function testSql(operand: Operand, test: Test): Sql {
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
