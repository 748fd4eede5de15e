import { quoteColumn } from '../../../base/text/quote-column.ts';

/**
 * The query that finds a row again by its primary key: `id=eq.7`, `a=eq.x&b=is.null`. Values are as filters accept them,
 * so that a represented key can be followed (`gateway.md` 1.2, Location).
 * @param key by column; in the order of the key
 */
export const queryOfKey = (key: Readonly<Record<string, string | null>>): string =>
  Object.entries(key)
    .map(
      ([column, value]) =>
        `${encode(quoteColumn(column))}=${value === null ? 'is.null' : `eq.${encode(value)}`}`,
    )
    .join('&');

/** `/gateway/my%20table`. */
export const pathOf = (mount: string, path: readonly string[]): string =>
  [mount, ...path.map((part) => encodeURIComponent(part))].join('/');

/** The parameters of a query string sorted by name, so that it is the same for all who ask the same. */
export function canonicalQuery(query: string): string {
  const pairs = [...new URLSearchParams(query)].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
}

/** What a query may hold as it is stays readable. */
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%2F', '/');
