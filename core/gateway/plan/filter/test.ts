import type { Conversion } from '../../catalog/catalog.ts';
import type { PlainOperator, SearchOperator, Test } from '../../query/query.ts';
import { bind, type Sql, sql, trusted } from '../sql.ts';
import { arrayLiteral, convertTexts, convertValue } from './conversion.ts';

/** What is tested. */
export interface Tested {
  readonly value: Sql;
  /** Of texts into the domain of the value. */
  readonly conversion?: Conversion | undefined;
  /** Type that the value was cast to for being compared, as SQL. */
  readonly comparedAs?: string | undefined;
  /** Whether it must be made into a `tsvector` to be searched. */
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

/** A test as SQL. The tested side stays as it is, so that indexes on it serve. */
export function testSql(tested: Tested, test: Test): Sql {
  if (test.operator === 'is') return sql`${tested.value} IS ${trusted(keywords[test.value])}`;
  if (test.operator === 'in')
    return sql`${tested.value} = ANY (${arraySql(tested, tested.conversion, test.values)})`;
  if (isSearch(test)) return searchSql(tested, test);
  // A pattern is no value of a domain: no conversion could make sense of it.
  const conversion = isPattern(test.operator) ? undefined : tested.conversion;
  if ('values' in test) {
    const texts = test.values.map((text) => patternText(test.operator, text));
    const quantifier = trusted(test.quantifier === 'any' ? 'ANY' : 'ALL');
    return sql`${tested.value} ${operatorSql(test.operator)} ${quantifier} (${arraySql(tested, conversion, texts)})`;
  }
  const value = bind(patternText(test.operator, test.value));
  const converted = conversion ? castLike(tested, convertValue(conversion, value)) : value;
  return sql`${tested.value} ${operatorSql(test.operator)} ${converted}`;
}

/** What a conversion has made, in the type that it is compared in. */
const castLike = ({ comparedAs }: Tested, converted: Sql, suffix = ''): Sql =>
  comparedAs === undefined ? converted : sql`${converted}::${trusted(comparedAs + suffix)}`;

const isSearch = (test: Test): test is Extract<Test, { operator: SearchOperator }> =>
  test.operator in searches;

const isPattern = (operator: PlainOperator): boolean =>
  operator === 'like' || operator === 'ilike' || operator === 'match' || operator === 'imatch';

const operatorSql = (operator: PlainOperator): Sql =>
  trusted(operator === 'isdistinct' ? 'IS DISTINCT FROM' : operators[operator]);

/** `*` stands for `%`, which is awkward in an address. */
const patternText = (operator: PlainOperator, text: string): string =>
  operator === 'like' || operator === 'ilike' ? text.replaceAll('*', '%') : text;

const arraySql = (tested: Tested, conversion: Conversion | undefined, texts: readonly string[]): Sql =>
  conversion ? castLike(tested, convertTexts(conversion, texts), '[]') : bind(arrayLiteral(texts));

function searchSql(
  { value, isText }: Tested,
  test: { operator: SearchOperator; language?: string; value: string },
): Sql {
  const language = test.language === undefined ? undefined : sql`${bind(test.language)}::regconfig, `;
  const before = language ?? sql``;
  const document = isText ? sql`to_tsvector(${before}${value})` : value;
  return sql`${document} @@ ${trusted(searches[test.operator])}(${before}${bind(test.value)}::text)`;
}
