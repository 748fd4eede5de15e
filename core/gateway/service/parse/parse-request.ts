import type { Catalog } from '../../catalog/catalog.ts';
import type { GatewaySettings } from '../../gateway-settings.ts';
import { chooseFormat } from '../../query/headers/formats.ts';
import { parsePreferences } from '../../query/headers/preferences.ts';
import { intersectRange, parseRange } from '../../query/headers/range.ts';
import { parseQuery } from '../../query/parse-query.ts';
import type { ParsedRequest } from '../parsed-request.ts';
import type { GatewayRequest } from '../request.ts';
import type { Target } from './target.ts';
import type { Timezones } from './timezones.ts';

/** Dependencies for parsing requests. */
export interface ParseContext {
  readonly settings: GatewaySettings;
  readonly catalog: Catalog;
  readonly schema: string;
  readonly timezones: Timezones;
}

/**
 * Parses a request, except its body.
 * @throws GatewayError for an invalid request
 */
export async function parseRequest(
  request: GatewayRequest,
  target: Target,
  { timezones, ...background }: ParseContext,
): Promise<ParsedRequest> {
  const { method, headers } = request;
  const isRead = method === 'GET' || method === 'HEAD';
  const parsed = parseQuery(request.query, { isCall: target.kind === 'routine' && isRead });
  const range = method === 'GET' ? parseRange(headers['range']) : undefined;
  const { prefer } = headers;
  // Most requests name no time zone, and the query is slow.
  const zones = /timezone/i.test(prefer ?? '') ? await timezones.list() : undefined;
  const { allowsTxOverride } = background.settings;
  const isTimezone = (name: string): boolean => zones?.has(name.toLowerCase()) === true;
  return {
    ...background,
    request,
    query: { ...parsed, root: intersectRange(parsed.root, range) },
    preferences: parsePreferences(prefer, { allowsTxOverride, isTimezone }),
    format: chooseFormat(headers['accept'], target.kind === 'root' ? 'description' : 'rows'),
  };
}
