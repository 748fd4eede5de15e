import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../base/errors.ts';
import { checkOrigin, type ServerNames } from '../origin-guard.ts';
import type { GatewayService } from '../../gateway/service/gateway-service.ts';

/** Response headers that other origins may read. */
const exposed = [
  'Content-Location',
  'Content-Profile',
  'Content-Range',
  'Location',
  'Preference-Applied',
  'Proxy-Status',
].join(', ');

type CrossOriginRules = Pick<GatewayService, 'corsOrigins' | 'takesTokens'>;

/**
 * Checks the origin of a gateway request: own pages and configured origins are allowed. `*` allows any page, but only
 * with a token, because a local database must not be open to every page in the browser.
 * @returns CORS headers; none for own pages and non-browser clients
 * @throws AppError `forbidden`
 */
export function checkRequestOrigin(
  headers: IncomingHttpHeaders,
  method: string,
  { names, rules }: { readonly names: ServerNames; readonly rules: CrossOriginRules },
): Readonly<Record<string, string>> {
  const { origin } = headers;
  if (origin === undefined || !isAllowed(origin, { headers, method, rules })) {
    checkOrigin(headers, method, names, 'add the origin to gateway.corsOrigins');
    return {};
  }
  const { origin: _origin, 'sec-fetch-site': _site, ...rest } = headers;
  checkOrigin(rest, method, names);
  const corsHeaders = { 'access-control-allow-origin': origin, vary: 'origin' };
  if (!isPreflight(headers, method)) return { ...corsHeaders, 'access-control-expose-headers': exposed };
  const requestedHeaders = headers['access-control-request-headers'];
  return {
    ...corsHeaders,
    'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
    'access-control-allow-headers': requestedHeaders ?? 'authorization',
    'access-control-max-age': '3600',
  };
}

/** Whether the request is a CORS preflight, which has no token. */
export const isPreflight = (headers: IncomingHttpHeaders, method: string): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined;

function isAllowed(
  origin: string,
  {
    headers,
    method,
    rules,
  }: { readonly headers: IncomingHttpHeaders; readonly method: string; readonly rules: CrossOriginRules },
): boolean {
  const { corsOrigins, takesTokens } = rules;
  if (corsOrigins.some((known) => known.toLowerCase().replace(/\/$/, '') === origin.toLowerCase()))
    return true;
  if (!corsOrigins.includes('*') || !takesTokens) return false;
  if (isPreflight(headers, method) || /^bearer\s/i.test(headers.authorization ?? '')) return true;
  throw new AppError(
    'forbidden',
    `Pages of ${JSON.stringify(origin)} need a token to use this gateway. Send "Authorization: Bearer TOKEN", ` +
      'or add the origin to gateway.corsOrigins.',
  );
}
