import { GatewayError } from '../gateway-error.ts';
import { LevelsBuilder } from './levels-builder.ts';
import type { Query, SelectItem } from './query.ts';
import { Cursor } from './scan/cursor.ts';
import { queryLimits } from './scan/limits.ts';
import { takeGroup } from './scan/logic.ts';
import { takeName } from './scan/names.ts';
import { takeOrder } from './scan/order.ts';
import { readLimit, readOffset } from './scan/page.ts';
import { decodeParameters, type Parameter } from './scan/parameters.ts';
import { parseParamName, type ParamTarget } from './scan/param-target.ts';
import { takeSelect } from './scan/select.ts';
import { parseTest } from './scan/operators.ts';

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
  const place = tryParse(() => parseParamName(parameter.name));
  if (place === undefined || (place.kind === 'filter' && isArgument(place))) others.push(parameter);
  if (place === undefined) return;
  if (place.kind === 'filter') tryParse(() => addToLevel(place, parameter.value, levels));
  else addToLevel(place, parameter.value, levels);
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
