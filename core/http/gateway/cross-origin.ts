import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../base/errors.ts';
import { checkOrigin, type OwnNames } from '../origin-guard.ts';
import type { GatewayDoor } from '../../gateway/service/gateway-door.ts';

/** What the pages of other origins are told of a response. */
const exposed = [
  'Content-Location',
  'Content-Profile',
  'Content-Range',
  'Location',
  'Preference-Applied',
  'Proxy-Status',
].join(', ');

type CrossOriginRules = Pick<GatewayDoor, 'corsOrigins' | 'takesTokens'>;

/**
 * Judges where a request to the gateway comes from: the server's own pages and those of configured origins. `*` lets in
 * any page, but only with a token: the database of somebody's own machine is not for every page that the browser shows.
 * @returns the headers by which the browser lets the page read the response; none for own pages and other programs
 * @throws AppError `forbidden`
 */
export function judgeOrigin(
  headers: IncomingHttpHeaders,
  method: string,
  { names, rules }: { readonly names: OwnNames; readonly rules: CrossOriginRules },
): Readonly<Record<string, string>> {
  const { origin } = headers;
  if (origin === undefined || !isAllowed(origin, { headers, method, rules })) {
    checkOrigin(headers, method, names, 'add the origin to gateway.corsOrigins');
    return {};
  }
  const { origin: _origin, 'sec-fetch-site': _site, ...rest } = headers;
  checkOrigin(rest, method, names);
  const own = { 'access-control-allow-origin': origin, vary: 'origin' };
  if (!isPreflight(headers, method)) return { ...own, 'access-control-expose-headers': exposed };
  const wanted = headers['access-control-request-headers'];
  return {
    ...own,
    'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
    'access-control-allow-headers': wanted ?? 'authorization',
    'access-control-max-age': '3600',
  };
}

/** Whether a browser only asks what a page may send; it comes without a token. */
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
