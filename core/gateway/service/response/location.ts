import { quoteIdentifier } from '../../../base/text/quote-identifier.ts';

/**
 * Returns the query for a row by its primary key: `id=eq.7`, `a=eq.x&b=is.null`. Values are in filter format, so that
 * the link also works for represented keys (`gateway.md` 1.2, Location).
 * @param key by column; in the order of the key
 */
export const queryOfKey = (key: Readonly<Record<string, string | null>>): string =>
  Object.entries(key)
    .map(
      ([column, value]) =>
        `${encode(quoteIdentifier(column))}=${value === null ? 'is.null' : `eq.${encode(value)}`}`,
    )
    .join('&');

/** Returns an escaped path, for example `/gateway/my%20table`. */
export const pathOf = (mount: string, path: readonly string[]): string =>
  [mount, ...path.map((part) => encodeURIComponent(part))].join('/');

/** Returns the query string with parameters sorted by name, so that equal queries have equal strings. */
export function canonicalQuery(query: string): string {
  const pairs = [...new URLSearchParams(query)].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
}

/** Escapes only characters that a query string must not contain. */
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%2F', '/');
