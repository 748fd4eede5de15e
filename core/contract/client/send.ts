import { AppError, fieldError, type ErrorBody, getErrorMessage } from '../../base/errors.ts';
import { errorCodes } from '../../base/error-codes.ts';
import { apiPrefix, listPathFields, getPrefix } from '../transport.ts';

/** Sends a request and resolves when the response has started; rejects if there is none. Compatible with `fetch`. */
export type Send = (url: string, request: RequestOptions) => Promise<ClientResponse>;

/** A request of the client, a subset of `RequestInit`. */
export interface RequestOptions {
  readonly method?: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly signal: AbortSignal;
  readonly keepalive?: boolean;
  readonly cache?: 'no-store';
}

/** A response for the client, a subset of `Response`. */
export interface ClientResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly body: ResponseBody | null;
  text(): Promise<string>;
}

/** Response body stream. */
export interface ResponseBody {
  getReader(): { read(): Promise<{ readonly done?: boolean; readonly value?: Uint8Array | undefined }> };
}

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
  api.slice(0, -apiPrefix.length) + getPrefix(operation);

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

/**
 * Returns the error in a response of the engine; any other response (from a proxy or wrong port) becomes
 * `unavailable`.
 */
export async function readErrorBody(response: Pick<ClientResponse, 'status' | 'text'>): Promise<ErrorBody> {
  try {
    const body = JSON.parse(await response.text()) as Partial<ErrorBody>;
    if (
      typeof body.message === 'string' &&
      typeof body.code === 'string' &&
      Object.hasOwn(errorCodes, body.code)
    ) {
      return body as ErrorBody;
    }
  } catch {
    // Not JSON, so not from the engine.
  }
  return {
    code: 'unavailable',
    message: `The server responded with status ${response.status}, without an error message.`,
  };
}

/** Describes a missing response; browsers and Node report few details. */
export function toUnreachableError(url: string, reason: unknown): ErrorBody {
  const { origin } = new URL(url);
  const rootCause = findCause(reason);
  const why = getErrorMessage(rootCause).replace(/\.$/, '');
  const message = isDistrusted(rootCause)
    ? `The certificate of ${origin} is not trusted: ${why}. If a private CA issued it, set NODE_EXTRA_CA_CERTS to the file of that CA.`
    : `Cannot reach the engine at ${origin}${why === '' ? '' : `: ${why}`}. Check that it is running.`;
  return { code: 'unavailable', message };
}

/** Returns the actual error: Node reports "fetch failed" with the reason in `cause`. */
function findCause(error: unknown): unknown {
  let at = error;
  while (at instanceof Error && at.cause !== undefined) at = at.cause;
  return at instanceof AggregateError && at.errors.length > 0 ? at.errors[0] : at;
}

/** Whether the certificate is untrusted, by the codes of OpenSSL, or Node's own code for a wrong host name. */
const isDistrusted = (reason: unknown): boolean =>
  reason instanceof Error && 'code' in reason && /CERT|VERIFY_LEAF/.test(String(reason.code));
