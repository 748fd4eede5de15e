import { GatewayError } from '../gateway-error.ts';
import { queryLimits, Cursor, takeJsonPath, takeName } from './cursor.ts';
import type { Field } from './query.ts';

export interface Parameter {
  readonly name: string;
  readonly value: string;
}

/**
 * Decodes the parameters of a query string or form, in order. A plus is a space; a percent sign without two hex digits
 * stays unchanged. Parameters without `=` are skipped.
 * @throws GatewayError with the specified code for invalid UTF-8, NUL, or too many parameters
 */
export function decodeParameters(text: string, code: 'PGRST100' | 'PGRST102'): Parameter[] {
  const parameters: Parameter[] = [];
  for (const part of text.split('&', queryLimits.parameters + 2)) {
    const middle = part.indexOf('=');
    if (middle < 0) continue;
    const name = decode(part.slice(0, middle), code);
    parameters.push({ name, value: decode(part.slice(middle + 1), code) });
  }
  if (parameters.length > queryLimits.parameters)
    throw new GatewayError(400, code, `More than ${queryLimits.parameters} query parameters`);
  return parameters;
}

function decode(text: string, code: string): string {
  const decoded = decodePercent(text.replaceAll('+', ' '));
  if (decoded === undefined || !decoded.isWellFormed())
    throw new GatewayError(400, code, 'A parameter is not valid UTF-8', { details: text.slice(0, 200) });
  if (decoded.includes('\0'))
    throw new GatewayError(
      400,
      code,
      'A parameter contains a NUL character, which strings in the database cannot contain',
      {
        details: text.slice(0, 200),
      },
    );
  return decoded;
}

function decodePercent(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text.replaceAll(/%(?![0-9A-Fa-f]{2})/g, '%25'));
  } catch {
    return undefined;
  }
}

/** A parsed parameter name: the level of embedded resources, and the setting. */
export type ParamTarget = {
  /** Names or aliases of embedded resources, from the root. */
  readonly path: readonly string[];
} & (
  | { readonly kind: 'filter'; readonly field: Field }
  | {
      readonly kind: 'group';
      readonly word: 'and' | 'or';
      readonly isNegated: boolean;
      readonly field?: never;
    }
  | { readonly kind: 'order' | 'limit' | 'offset'; readonly field?: never }
);

/**
 * Parses a parameter name other than `select`, `columns` and `on_conflict`. Quoted, `order` and other reserved words
 * are column names.
 * @throws GatewayError PGRST100
 */
export function parseParamName(text: string): ParamTarget {
  const cursor = new Cursor(text, 'tree path');
  const names: { readonly text: string; readonly isQuoted: boolean }[] = [];
  do {
    if (names.length > queryLimits.embedding + 1)
      cursor.throwSyntaxError(`resources are embedded more than ${queryLimits.embedding} levels deep`);
    const isQuoted = cursor.isNext('"');
    names.push({ text: takeName(cursor), isQuoted });
  } while (cursor.take('.'));
  const json = takeJsonPath(cursor);
  cursor.expectEnd('"." or "->"');
  const last = names.pop()!;
  const path = names.map((name) => name.text);
  if (last.isQuoted || json.length > 0) return { path, kind: 'filter', field: { column: last.text, json } };
  switch (last.text) {
    case 'order':
    case 'limit':
    case 'offset':
      return { path, kind: last.text };
    case 'and':
    case 'or': {
      const isNegated = names.at(-1)?.text === 'not' && names.at(-1)?.isQuoted === false;
      return { path: isNegated ? path.slice(0, -1) : path, kind: 'group', word: last.text, isNegated };
    }
    default:
      return { path, kind: 'filter', field: { column: last.text, json } };
  }
}
