import type { Field } from '../query.ts';
import { Cursor } from './cursor.ts';
import { queryLimits } from './limits.ts';
import { takeJsonPath, takeName } from './names.ts';

/** What the name of a parameter says: which level of the tree it is about, and what it says there. */
export type Place = {
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
 * Reads the name of a parameter that is none of `select`, `columns` and `on_conflict`. In quotes, `order` and the
 * other words are names of columns.
 * @throws GatewayError PGRST100
 */
export function takePlace(text: string): Place {
  const cursor = new Cursor(text, 'tree path');
  const names: { readonly text: string; readonly isQuoted: boolean }[] = [];
  do {
    if (names.length > queryLimits.embedding + 1)
      cursor.refuse(`resources are embedded more than ${queryLimits.embedding} levels deep`);
    const isQuoted = cursor.sees('"');
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
