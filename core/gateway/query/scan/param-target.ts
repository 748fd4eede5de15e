import type { Field } from '../query.ts';
import { Cursor } from './cursor.ts';
import { queryLimits } from './limits.ts';
import { takeJsonPath, takeName } from './names.ts';

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
