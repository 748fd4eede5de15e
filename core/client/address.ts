import { AppError, refuseField } from '../base/errors.ts';
import { apiPrefix, listPathFields, prefixOf } from '../contract/transport/http-wire.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Where the API of a server begins.
 * @param url address of the server, with its base path if it has one; slashes at the end, and `/api/v2`, may be there
 * @throws `bad_request` when that is no http or https address
 */
export function findApi(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
    throw new AppError(
      'bad_request',
      `"${url}" is not the address of a server; it looks like http://127.0.0.1:8080`,
      { details: { field: 'url' } },
    );
  }
  const path = parsed.pathname.replace(/\/+$/, '');
  return parsed.origin + (path.endsWith(apiPrefix) ? path : path + apiPrefix);
}

/**
 * What comes before the path of an operation.
 * @param api where the API of the server begins, as {@link findApi} tells it
 */
export const findMount = (api: string, operation: { readonly version?: 1 }): string =>
  api.slice(0, -apiPrefix.length) + prefixOf(operation);

/** Path of an operation with its `{…}` segments filled in and, on demand, the other fields as its query. */
export function buildPath(path: string, input: Fields, withQuery: boolean): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, field: string) => encodeSegment(field, input[field]));
  if (!withQuery) return filled;
  const query = new URLSearchParams();
  for (const [field, value] of Object.entries(omitPathFields(path, input))) query.set(field, String(value));
  return filled + (query.size > 0 ? `?${query.toString()}` : '');
}

/** The fields that are not part of the path; those without a value are left out. */
export function omitPathFields(path: string, input: Fields): Record<string, unknown> {
  const inPath = new Set(listPathFields(path));
  return Object.fromEntries(
    Object.entries(input).filter(([field, value]) => value !== undefined && !inPath.has(field)),
  );
}

/** Every address is made canonical on its way: `.` and `..` would lead to another operation. */
function encodeSegment(field: string, value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  if (text === '') throw refuseField(field, 'is missing');
  if (text === '.' || text === '..') throw refuseField(field, `cannot be "${text}"`);
  return encodeURIComponent(text);
}
