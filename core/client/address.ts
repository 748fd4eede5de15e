import { AppError, fieldError } from '../base/errors.ts';
import { apiPrefix, listPathFields, prefixOf } from '../contract/transport/http-wire.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the URL of a server's API.
 * @param url URL of the server with its base path; a trailing slash and `/api/v2` are allowed
 * @throws `bad_request` if it is not an http or https URL
 */
export function findApi(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
    throw new AppError(
      'bad_request',
      `Invalid server URL "${url}". Use a URL such as http://127.0.0.1:8080.`,
      { details: { field: 'url' } },
    );
  }
  const path = parsed.pathname.replace(/\/+$/, '');
  return parsed.origin + (path.endsWith(apiPrefix) ? path : path + apiPrefix);
}

/**
 * Returns the URL prefix of an operation's path.
 * @param api URL of the API as returned by {@link findApi}
 */
export const findMount = (api: string, operation: { readonly version?: 1 }): string =>
  api.slice(0, -apiPrefix.length) + prefixOf(operation);

/** Fills in the `{…}` segments of an operation's path and optionally adds the other fields as its query. */
export function buildPath(path: string, input: Fields, withQuery: boolean): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, field: string) => encodeSegment(field, input[field]));
  if (!withQuery) return filled;
  const query = new URLSearchParams();
  for (const [field, value] of Object.entries(omitPathFields(path, input))) query.set(field, String(value));
  return filled + (query.size > 0 ? `?${query.toString()}` : '');
}

/** Returns the fields that are not in the path; undefined values are omitted. */
export function omitPathFields(path: string, input: Fields): Record<string, unknown> {
  const inPath = new Set(listPathFields(path));
  return Object.fromEntries(
    Object.entries(input).filter(([field, value]) => value !== undefined && !inPath.has(field)),
  );
}

/** Encodes a path segment. Rejects `.` and `..`, because URL normalization would lead to another operation. */
function encodeSegment(field: string, value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  if (text === '') throw fieldError(field, 'is missing');
  if (text === '.' || text === '..') throw fieldError(field, `cannot be "${text}"`);
  return encodeURIComponent(text);
}
