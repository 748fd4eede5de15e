import { useState } from 'react';
import type { GatewayTableView } from '../../../../core/contract/gateway.ts';
import type { TriedRequest } from '../../../api/queries/gateway-queries.ts';
import { pathOf } from './build-path.ts';
import { readHeaders } from './read-headers.ts';

export type Method = TriedRequest['method'];

const withBody: ReadonlySet<Method> = new Set(['POST', 'PATCH', 'PUT']);

const usualHeaders = (method: Method): string =>
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
  const [method, setMethod] = useState<Method>('GET');
  const [path, setPath] = useState(table === undefined ? '/' : pathOf(table.name));
  const [headerText, setHeaderText] = useState(() =>
    [usualHeaders('GET'), ...profileOf(table, schemas)].join('\n'),
  );
  const [body, setBody] = useState('');
  const read = readHeaders(headerText);
  const hasBody = withBody.has(method);
  const request: TriedRequest = {
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
    wrong: read.isRead ? undefined : `Invalid header “${read.wrong}”. Use the format Name: value.`,
    setPath,
    setHeaderText,
    setBody,
    /** Edited headers are left unchanged. */
    setMethod(chosen: Method): void {
      const usual = usualHeaders(method);
      if (headerText.startsWith(usual)) setHeaderText(usualHeaders(chosen) + headerText.slice(usual.length));
      setMethod(chosen);
    },
  };
}
