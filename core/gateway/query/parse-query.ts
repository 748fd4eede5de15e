import { GatewayError } from '../gateway-error.ts';
import type { Query, SelectItem, Condition, Level, OrderTerm } from './query.ts';
import { Cursor, queryLimits, takeName, takeField, takeJsonPath } from './cursor.ts';
import { decodeParameters, type Parameter, parseParamName, type ParamTarget } from './parameters.ts';
import { takeSelect } from './select.ts';
import { parseTest } from './operators.ts';
import { takeBraces, takeElement } from './values.ts';

export interface QueryOptions {
  /**
   * Whether a function is called by GET or HEAD. Parameters that are neither reserved nor filters are then arguments;
   * otherwise they are errors.
   */
  readonly isCall?: boolean;
}

/**
 * Parses a query string without its question mark, in linear time. The first of a duplicate parameter wins; for limit
 * and offset, the last.
 * @throws GatewayError PGRST100 with the text, the column of the error and the expected syntax; PGRST103 for a
 * negative limit
 */
export function parseQuery(queryString: string, options: QueryOptions = {}): Query {
  if (queryString.length > queryLimits.length)
    throw new GatewayError(
      400,
      'PGRST100',
      `The query string has more than ${queryLimits.length} characters`,
      {
        hint: 'Call the function with POST and put the values in the body.',
      },
    );
  const parameters = decodeParameters(queryString, 'PGRST100');
  const levels = new LevelsBuilder();
  const others: Parameter[] = [];
  for (const parameter of parameters) {
    if (isWord(parameter.name)) continue;
    if (options.isCall === true) readCallParameter(parameter, levels, others);
    else addToLevel(parseParamName(parameter.name), parameter.value, levels);
  }
  const find = (name: string): string | undefined => parameters.find((each) => each.name === name)?.value;
  const columns = find('columns');
  const onConflict = find('on_conflict');
  return {
    select: readSelect(find('select') ?? ''),
    ...levels.build(),
    ...(columns === undefined ? {} : { columns: readNames(columns, 'columns parameter') }),
    ...(onConflict === undefined ? {} : { onConflict: readNames(onConflict, 'on_conflict parameter') }),
    others,
  };
}

const isWord = (name: string): boolean => name === 'select' || name === 'columns' || name === 'on_conflict';

function readCallParameter(parameter: Parameter, levels: LevelsBuilder, others: Parameter[]): void {
  const target = tryParse(() => parseParamName(parameter.name));
  if (target === undefined || (target.kind === 'filter' && isArgument(target))) others.push(parameter);
  if (target === undefined) return;
  if (target.kind === 'filter') tryParse(() => addToLevel(target, parameter.value, levels));
  else addToLevel(target, parameter.value, levels);
}

const isArgument = (target: ParamTarget): boolean =>
  target.path.length === 0 && target.field?.json.length === 0;

function tryParse<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof GatewayError) return undefined;
    throw error;
  }
}

function addToLevel(target: ParamTarget, value: string, levels: LevelsBuilder): void {
  const { path } = target;
  switch (target.kind) {
    case 'filter': {
      const cursor = new Cursor(value, 'filter');
      const signed = parseTest(cursor, takeRest);
      cursor.expectEnd();
      levels.addCondition(path, { kind: 'test', field: target.field, ...signed });
      return;
    }
    case 'group': {
      const cursor = new Cursor(value, 'logic tree');
      const conditions = takeGroup(cursor);
      cursor.expectEnd();
      levels.addCondition(path, { kind: target.word, isNegated: target.isNegated, conditions });
      return;
    }
    case 'order':
      if (value.trim() !== '') levels.addOrder(path, takeOrder(new Cursor(value, 'order')));
      return;
    case 'limit':
      levels.setLimit(path, readLimit(value));
      return;
    case 'offset':
      levels.setOffset(path, readOffset(value));
      return;
  }
}

function takeRest(cursor: Cursor): string {
  const rest = cursor.text.slice(cursor.at);
  cursor.at = cursor.text.length;
  return rest;
}

function readSelect(text: string): readonly SelectItem[] {
  const cursor = new Cursor(text, 'select parameter');
  const items = takeSelect(cursor);
  cursor.expectEnd('"," or end of input');
  return items;
}

function readNames(text: string, subject: string): readonly string[] {
  const cursor = new Cursor(text, subject);
  const names: string[] = [];
  for (;;) {
    const name = takeName(cursor);
    if (!names.includes(name)) names.push(name);
    if (cursor.isAtEnd) return names;
    cursor.expect(',', '"," or end of input');
    if (names.length === queryLimits.items) cursor.throwSyntaxError(`more than ${queryLimits.items} columns`);
  }
}

interface Draft {
  readonly path: readonly string[];
  readonly conditions: Condition[];
  order: readonly OrderTerm[];
  limit?: number;
  offset?: number;
}

/** Collects the request parameters of each level of embedded resources. */
class LevelsBuilder {
  readonly #root: Draft = { path: [], conditions: [], order: [] };
  readonly #embedded = new Map<string, Draft>();

  addCondition(path: readonly string[], condition: Condition): void {
    this.#at(path).conditions.push(condition);
  }

  /** Adds an order. The first order of a level wins. */
  addOrder(path: readonly string[], terms: readonly OrderTerm[]): void {
    const level = this.#at(path);
    if (level.order.length === 0) level.order = terms;
  }

  /** Sets the limit. The last limit of a level wins. */
  setLimit(path: readonly string[], limit: number | undefined): void {
    if (limit !== undefined) this.#at(path).limit = limit;
  }

  /** Sets the offset. The last offset of a level wins. */
  setOffset(path: readonly string[], offset: number): void {
    this.#at(path).offset = offset;
  }

  build(): { readonly root: Level; readonly embedded: readonly Level[] } {
    return { root: this.#root, embedded: [...this.#embedded.values()] };
  }

  #at(path: readonly string[]): Draft {
    if (path.length === 0) return this.#root;
    const key = JSON.stringify(path);
    const known = this.#embedded.get(key);
    if (known !== undefined) return known;
    const level: Draft = { path, conditions: [], order: [] };
    this.#embedded.set(key, level);
    return level;
  }
}

const takeValue = (cursor: Cursor): string => (cursor.isNext('{') ? takeBraces(cursor) : takeElement(cursor));

/** Parses a group of at least one condition, `(a.eq.1,or(b.is.null,not.and(…)))`. */
function takeGroup(cursor: Cursor, depth = 1): Condition[] {
  cursor.skipBlanks();
  if (depth > queryLimits.logic)
    cursor.throwSyntaxError(`groups are nested more than ${queryLimits.logic} levels deep`);
  cursor.expect('(');
  const conditions: Condition[] = [];
  for (;;) {
    if (conditions.length === queryLimits.items)
      cursor.throwSyntaxError(`more than ${queryLimits.items} conditions in a group`);
    conditions.push(takeCondition(cursor, depth));
    cursor.skipBlanks();
    if (cursor.take(')')) break;
    cursor.expect(',', '"," or ")"');
  }
  cursor.skipBlanks();
  return conditions;
}

function takeCondition(cursor: Cursor, depth: number): Condition {
  cursor.skipBlanks();
  const isNegated = cursor.isNext('not.');
  const ahead = isNegated ? 4 : 0;
  for (const kind of ['and', 'or'] as const) {
    if (!isGroupNext(cursor, ahead, kind)) continue;
    cursor.at += ahead + kind.length;
    return { kind, isNegated, conditions: takeGroup(cursor, depth + 1) };
  }
  const field = takeField(cursor);
  cursor.expect('.', 'delimiter (.)');
  return { kind: 'test', field, ...parseTest(cursor, takeValue) };
}

function isGroupNext(cursor: Cursor, ahead: number, word: string): boolean {
  if (!cursor.isNext(word, ahead)) return false;
  let offset = ahead + word.length;
  while (cursor.code(offset) === 32) offset += 1;
  return cursor.isNext('(', offset);
}

/** Parses any number of `col[.asc|.desc][.nullsfirst|.nullslast]` or `relation(col)…`, to the end. */
function takeOrder(cursor: Cursor): OrderTerm[] {
  const terms: OrderTerm[] = [];
  for (;;) {
    if (terms.length === queryLimits.items)
      cursor.throwSyntaxError(`more than ${queryLimits.items} order terms`);
    terms.push(takeTerm(cursor));
    cursor.skipBlanks();
    if (cursor.isAtEnd) return terms;
    cursor.expect(',', '"," or end of input');
  }
}

function takeTerm(cursor: Cursor): OrderTerm {
  cursor.skipBlanks();
  const name = takeName(cursor);
  if (!cursor.take('('))
    return { field: { column: name, json: takeJsonPath(cursor) }, ...takeDirection(cursor) };
  cursor.skipBlanks();
  const field = takeField(cursor);
  cursor.skipBlanks();
  cursor.expect(')');
  return { relation: name, field, ...takeDirection(cursor) };
}

function takeDirection(cursor: Cursor): Pick<OrderTerm, 'direction' | 'nulls'> {
  const isDescending = cursor.take('.desc');
  if (!isDescending) cursor.take('.asc');
  const nulls = cursor.take('.nullsfirst') ? 'first' : cursor.take('.nullslast') ? 'last' : undefined;
  cursor.skipBlanks();
  if (!cursor.isAtEnd && !cursor.isNext(','))
    cursor.fail('asc, desc, nullsfirst, nullslast, "," or end of input', {
      at: cursor.isNext('.') ? cursor.at + 1 : cursor.at,
    });
  return { direction: isDescending ? 'desc' : 'asc', ...(nulls === undefined ? {} : { nulls }) };
}

const WHOLE_NUMBER = /^\s*[+-]?\d+\s*$/;

/**
 * Returns the value of `limit=`; undefined if empty.
 * @throws GatewayError PGRST103 if negative, PGRST100 if not a number
 */
function readLimit(text: string): number | undefined {
  if (text.trim() === '') return undefined;
  if (!WHOLE_NUMBER.test(text)) new Cursor(text, 'limit parameter').fail('a whole number');
  const limit = Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  if (limit >= 0) return limit === 0 ? 0 : limit;
  throw new GatewayError(416, 'PGRST103', 'Requested range not satisfiable', {
    details: 'Limit should be greater than or equal to zero.',
  });
}

/** Returns the value of `offset=`; 0 if negative or not a number. */
function readOffset(text: string): number {
  const offset = WHOLE_NUMBER.test(text) ? Number(text) : 0;
  return Math.min(Math.max(offset, 0), Number.MAX_SAFE_INTEGER);
}
