import { useState } from 'react';
import { quoteIdentifier, shellQuote } from '../../../core/base/text.ts';
import type { GatewayTableView } from '../../../core/contract/gateway.ts';
import type { GatewayRequest } from '../../api/gateway-queries.ts';

/** Parsed headers, or the first invalid line. */
export type ParsedHeaders =
  | { readonly isRead: true; readonly headers: Record<string, string> }
  | { readonly isRead: false; readonly invalidLine: string };

/** Parses headers typed as `Name: value`, one per line; values of repeated headers are joined. */
export function readHeaders(text: string): ParsedHeaders {
  const headers = new Map<string, { name: string; values: string[] }>();
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '') continue;
    const match = /^([!#$%&'*+\-.^_`|~\w]+)\s*:\s*(.*)$/.exec(line);
    if (match === null) return { isRead: false, invalidLine: line };
    const [name, value] = [match[1]!, match[2]!];
    const known = headers.get(name.toLowerCase());
    if (known === undefined) headers.set(name.toLowerCase(), { name, values: [value] });
    else known.values.push(value);
  }
  const joined = Array.from(headers.values(), ({ name, values }) => [name, values.join(', ')]);
  return { isRead: true, headers: Object.fromEntries(joined) as Record<string, string> };
}

/** One filter of the builder. */
export interface PathFilter {
  readonly column: string;
  readonly operator: string;
  readonly value: string;
}

/** Operators that the builder offers; others can be typed. */
export const builtOperators = [
  { value: 'eq', label: 'equals' },
  { value: 'neq', label: 'not equals' },
  { value: 'gt', label: 'greater than' },
  { value: 'gte', label: 'greater than or equal' },
  { value: 'lt', label: 'less than' },
  { value: 'lte', label: 'less than or equal' },
  { value: 'like', label: 'like (* is a wildcard)' },
  { value: 'ilike', label: 'like, case-insensitive' },
  { value: 'in', label: 'in (a,b,c)' },
  { value: 'is', label: 'is (null, true, false)' },
] as const;

/** Returns the path of a table without a query. */
export const toPath = (table: string): string => `/${encodeURIComponent(table)}`;

/** Adds a filter to a path. */
export function addFilter(path: string, { column, operator, value }: PathFilter): string {
  const list = operator === 'in' && !value.startsWith('(') ? `(${value})` : value;
  // Characters that are allowed in a query stay readable.
  const shown = encodeURIComponent(list).replaceAll(/%(2C|3A|2F|28|29|2A|40)/gi, decodeURIComponent);
  return `${path}${path.includes('?') ? '&' : '?'}${encodeURIComponent(quoteIdentifier(column))}=${operator}.${shown}`;
}

export type HttpMethod = GatewayRequest['method'];

const withBody: ReadonlySet<HttpMethod> = new Set(['POST', 'PATCH', 'PUT']);

const defaultHeaders = (method: HttpMethod): string =>
  withBody.has(method)
    ? 'Content-Type: application/json\nPrefer: return=representation'
    : 'Accept: application/json';

/** Tables outside the first schema are requested by profile headers. */
const getProfile = (table: GatewayTableView | undefined, schemas: readonly string[]): string[] =>
  table === undefined || table.schema === schemas[0]
    ? []
    : [`Accept-Profile: ${table.schema}`, `Content-Profile: ${table.schema}`];

/** State of the request builder, for an initial table. */
export function useRequestDraft(table: GatewayTableView | undefined, schemas: readonly string[]) {
  const [method, setMethod] = useState<HttpMethod>('GET');
  const [path, setPath] = useState(table === undefined ? '/' : toPath(table.name));
  const [headerText, setHeaderText] = useState(() =>
    [defaultHeaders('GET'), ...getProfile(table, schemas)].join('\n'),
  );
  const [body, setBody] = useState('');
  const read = readHeaders(headerText);
  const hasBody = withBody.has(method);
  const request: GatewayRequest = {
    method,
    path,
    ...(read.isRead && { headers: read.headers }),
    ...(hasBody && { body }),
  };
  return {
    request,
    headerText,
    body,
    hasBody,
    /** Why it cannot be sent. */
    invalidLine: read.isRead
      ? undefined
      : `Invalid header "${read.invalidLine}". Use the format Name: value.`,
    setPath,
    setHeaderText,
    setBody,
    /** Edited headers are left unchanged. */
    setMethod(chosen: HttpMethod): void {
      const usual = defaultHeaders(method);
      if (headerText.startsWith(usual))
        setHeaderText(defaultHeaders(chosen) + headerText.slice(usual.length));
      setMethod(chosen);
    },
  };
}

/**
 * Formats the request as a command for a POSIX shell.
 * @param address address of the gateway, such as `http://127.0.0.1:8080/gateway`
 */
export function formatCurl({ method, path, headers = {}, body }: GatewayRequest, address: string): string {
  const isTyped = body === undefined || Object.keys(headers).some((name) => /^content-type$/i.test(name));
  const how = method === 'HEAD' ? ' --head' : method === 'GET' ? '' : ` -X ${method}`;
  return [
    `curl -sS${how} ${shellQuote(address + toUrlPath(path))}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`),
    // By default, curl sends a body as a form.
    ...(isTyped ? [] : [`-H ${shellQuote('Content-Type: application/json')}`]),
    ...(body === undefined ? [] : [`--data-binary ${shellQuote(body)}`]),
  ].join(' \\\n  ');
}

/** Encodes spaces and other characters that are invalid in a URL; existing escapes stay. */
const toUrlPath = (path: string): string =>
  (path.startsWith('/') ? path : `/${path}`).replaceAll(/[^\w!$&'()*+,\-./:;=?@~%]/gu, (character) =>
    encodeURIComponent(character),
  );
