import { Cursor, takeIdentifier } from './cursor.ts';
import { takeEnclosed, takeQuoted, takeList } from './values.ts';
import {
  comparisonOperators,
  patternOperators,
  rangeOperators,
  searchOperators,
  type PlainOperator,
  type SearchOperator,
  type Test,
} from './query.ts';

const isArrayValueCharacter = (code: number): boolean => code !== 44 && code !== 123 && code !== 125;

const NULL_HINT = 'Use is.null to find nulls, and double quotes for the string "NULL".';

/** Reads a one-dimensional PostgreSQL array, `{a,"b,c",""}`. Bare elements are trimmed. */
const takeArray = (cursor: Cursor): string[] => takeEnclosed(cursor, ['{', '}'], takeArrayItem);

function takeArrayItem(cursor: Cursor): string {
  cursor.skipBlanks();
  const at = cursor.at;
  if (cursor.isNext('"')) {
    const quoted = takeQuoted(cursor);
    if (quoted === undefined) return cursor.throwSyntaxError('unclosed quote', { at });
    cursor.skipBlanks();
    return quoted;
  }
  const value = takeBare(cursor);
  if (value === '') cursor.fail('value', { at, hint: 'Write an empty string as "".' });
  if (value.toLowerCase() === 'null')
    cursor.throwSyntaxError('null cannot be compared with equal or not equal', { at, hint: NULL_HINT });
  return value;
}

/** Parses a bare element, in which a backslash escapes the next character. */
function takeBare(cursor: Cursor): string {
  let value = '';
  while (!cursor.isAtEnd && isArrayValueCharacter(cursor.code())) {
    if (cursor.code() === 92) cursor.at += 1;
    value += cursor.text[cursor.at] ?? '';
    cursor.at += 1;
  }
  return value.trimEnd();
}

/** Reads the value of a test: to the end of the text, or of its place in a group. */
export type ReadOperand = (cursor: Cursor) => string;

export interface SignedTest {
  readonly isNegated: boolean;
  readonly test: Test;
}

const plain: ReadonlySet<string> = new Set<PlainOperator>([
  ...comparisonOperators,
  ...patternOperators,
  ...rangeOperators,
  'isdistinct',
]);

const search: ReadonlySet<string> = new Set<SearchOperator>(searchOperators);

/** Operators that accept `any` and `all`. */
const quantified: ReadonlySet<string> = new Set<PlainOperator>([
  'eq',
  'gt',
  'gte',
  'lt',
  'lte',
  ...patternOperators,
]);

const EXPECTED = '"not" or operator (eq, gt, ...)';

const FORM = 'Use filters in the form column=operator.value, such as id=eq.3.';

const DELIMITER = 'delimiter (.)';

const isLowerCase = (code: number): boolean => code >= 97 && code <= 122;

/** Parses `[not.]operator[(any|all|language)].value`. */
export function parseTest(cursor: Cursor, takeValue: ReadOperand): SignedTest {
  const isNegated = cursor.take('not.');
  const at = cursor.at;
  const word = cursor.takeWhile(isLowerCase);
  if (word === 'in') {
    cursor.expect('.', DELIMITER);
    return { isNegated, test: { operator: 'in', values: takeList(cursor) } };
  }
  if (word === 'is') {
    cursor.expect('.', DELIMITER);
    return { isNegated, test: { operator: 'is', value: takeState(cursor) } };
  }
  if (search.has(word)) return { isNegated, test: takeSearch(cursor, word as SearchOperator, takeValue) };
  if (plain.has(word)) return { isNegated, test: takeComparison(cursor, word as PlainOperator, takeValue) };
  return cursor.fail(isNegated ? 'operator (eq, gt, ...)' : EXPECTED, { at, hint: FORM });
}

function takeComparison(cursor: Cursor, operator: PlainOperator, takeValue: ReadOperand): Test {
  const at = cursor.at;
  const quantifier = cursor.take('(any)') ? 'any' : cursor.take('(all)') ? 'all' : undefined;
  if (quantifier !== undefined && !quantified.has(operator))
    cursor.throwSyntaxError(`"${operator}" does not support the any and all modifiers`, {
      at,
      hint: `Operators with any and all: ${[...quantified].join(', ')}.`,
    });
  cursor.expect('.', DELIMITER);
  if (quantifier === undefined) return { operator, value: takeValue(cursor) };
  return { operator, quantifier, values: takeArrayValue(cursor, takeValue) };
}

function takeArrayValue(cursor: Cursor, takeValue: ReadOperand): readonly string[] {
  const from = cursor.at;
  const text = takeValue(cursor);
  // In a group the array may be quoted; its text then differs from the source.
  if (cursor.text.startsWith(text, from)) {
    cursor.at = from;
    return takeArray(cursor);
  }
  const array = new Cursor(text, `array in ${cursor.subject}`);
  const values = takeArray(array);
  array.expectEnd();
  return values;
}

function takeSearch(cursor: Cursor, operator: SearchOperator, takeValue: ReadOperand): Test {
  let language: string | undefined;
  if (cursor.take('(')) {
    language = takeIdentifier(cursor, 'name of a full-text configuration');
    cursor.expect(')');
  }
  cursor.expect('.', DELIMITER);
  return { operator, ...(language === undefined ? {} : { language }), value: takeValue(cursor) };
}

const states = ['null', 'not_null', 'true', 'false', 'unknown'] as const;

function takeState(cursor: Cursor): (typeof states)[number] {
  const at = cursor.at;
  const word = cursor
    .takeWhile((code) => isLowerCase(code) || (code >= 65 && code <= 90) || code === 95)
    .toLowerCase();
  const state = states.find((each) => each === word);
  return state ?? cursor.fail('null, not_null or trilean value (unknown, true, false)', { at });
}
