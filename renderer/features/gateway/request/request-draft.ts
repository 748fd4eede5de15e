import { useState } from 'react';
import type { GatewayTableView } from '../../../../core/contract/gateway.ts';
import type { GatewayRequest } from '../../../api/queries/gateway-queries.ts';
import { pathOf } from './build-path.ts';
import { readHeaders } from './read-headers.ts';

export type HttpMethod = GatewayRequest['method'];

const withBody: ReadonlySet<HttpMethod> = new Set(['POST', 'PATCH', 'PUT']);

const defaultHeaders = (method: HttpMethod): string =>
  withBody.has(method)
    ? 'Content-Type: application/json\nPrefer: return=representation'
    : 'Accept: application/json';

/** Tables outside the first schema are requested by profile headers. */
const profileOf = (table: GatewayTableView | undefined, schemas: readonly string[]): string[] =>
  table === undefined || table.schema === schemas[0]
    ? []
    : [`Accept-Profile: ${table.schema}`, `Content-Profile: ${table.schema}`];

/** State of the request builder, for an initial table. */
export function useRequestDraft(table: GatewayTableView | undefined, schemas: readonly string[]) {
  const [method, setMethod] = useState<HttpMethod>('GET');
  const [path, setPath] = useState(table === undefined ? '/' : pathOf(table.name));
  const [headerText, setHeaderText] = useState(() =>
    [defaultHeaders('GET'), ...profileOf(table, schemas)].join('\n'),
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
      : `Invalid header “${read.invalidLine}”. Use the format Name: value.`,
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
