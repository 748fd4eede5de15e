import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock, Dispose } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import type { GatewayResponse, GatewayService, GatewayRequest } from '../gateway/service/gateway-service.ts';
import { errorCodes } from '../base/error-codes.ts';
import { proxyStatus } from '../gateway/service/response.ts';
import { decodeBody, acceptedEncodings } from './json-bodies.ts';
import { checkOrigin, type ServerNames } from './origin-guard.ts';
import { toHttpError } from './http-error.ts';

/** Settings for serving the gateway. */
export interface GatewayMount {
  readonly door: GatewayService;
  /** Path prefix of the server: empty, or for example `/flows`. */
  readonly basePath: string;
  /** Whether local callers need no token; true only if the server is not reachable otherwise. */
  readonly trustsLoopback: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Adds the gateway routes. Bodies are read as bytes, up to the gateway's limit, and parsed only by the gateway. */
export function addGatewayRoutes(app: FastifyInstance, gatewayMount: GatewayMount): void {
  const { door, basePath, trustsLoopback, clock, logger } = gatewayMount;
  const { maxBodyBytes } = door;
  const target = { mount: basePath + gatewayPrefix, trustsLoopback };
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (isPreflight(request.headers, request.method)) return reply.code(204).send();
    if (!door.isEnabled)
      throw new AppError('not_found', 'The gateway is disabled. Set gateway.enabled to true.');
    // Without a body, no parser runs.
    const sent = Buffer.isBuffer(request.body) ? request.body : new Uint8Array();
    const body = await decodeBody(sent, request.headers['content-encoding'], maxBodyBytes);
    const { signal, stopWatching } = watchDisconnect(reply.raw, clock);
    try {
      const response = await door.handle({ ...toGatewayRequest(request, body, target), signal });
      return await send(reply, response);
    } finally {
      stopWatching();
    }
  };
  const addRoutes = (scope: FastifyInstance, _options: object, done: () => void): void => {
    scope.setErrorHandler((error, _request, reply) =>
      sendGatewayError(reply, error, { logger, maxBodyBytes }),
    );
    scope.removeAllContentTypeParsers();
    const whole = { parseAs: 'buffer', bodyLimit: maxBodyBytes } as const;
    scope.addContentTypeParser('*', whole, (_request, body, parsed) => parsed(null, body));
    // Fastify itself rejects QUERY without a content type, in its own format.
    const methods = scope.supportedMethods.filter((method) => method !== 'QUERY');
    for (const url of ['', '/*']) scope.route({ method: methods, url, exposeHeadRoute: false, handler });
    // Methods without routes, such as PROPFIND. Their bodies are ignored.
    scope.setNotFoundHandler(handler);
    scope.addHook('onRequest', async (request, reply) =>
      request.is404 ? handler(request, reply) : undefined,
    );
    done();
  };
  void app.register(addRoutes, { prefix: gatewayPrefix });
}

function send(reply: FastifyReply, { status, headers, body }: GatewayResponse): FastifyReply {
  for (const [name, value] of Object.entries(headers)) void reply.header(name, value);
  return reply.code(status).send(body ?? undefined);
}

/**
 * Converts a request for the gateway.
 * @param body decoded
 * @throws AppError `bad_request` for a path that is not UTF-8
 */
function toGatewayRequest(
  { method, headers, raw, ip }: FastifyRequest,
  body: Uint8Array,
  options: { readonly mount: string; readonly trustsLoopback: boolean },
): GatewayRequest {
  const { url = '/' } = raw;
  const queryStart = url.indexOf('?');
  const path = queryStart < 0 ? url : url.slice(0, queryStart);
  return {
    method,
    // The first two are the empty part before the slash, and the prefix.
    path: path.split('/').slice(2).map(decode),
    query: queryStart < 0 ? '' : url.slice(queryStart + 1),
    headers: toTexts(headers),
    body,
    isLoopback: options.trustsLoopback && isLoopbackAddress(ip) && !isForwarded(headers),
    mount: options.mount,
  };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new AppError('bad_request', 'The URL is not valid UTF-8 or contains an invalid percent escape.');
  }
}

/** Cookies of the server are user sessions, which database functions must not see. */
function toTexts(headers: IncomingHttpHeaders): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const text = Array.isArray(value) ? value.join(', ') : value;
    if (text !== undefined) texts[name] = name === 'cookie' ? removeSessionCookies(text) : text;
  }
  return texts;
}

const removeSessionCookies = (header: string): string =>
  header
    .split(';')
    .filter((part) => !part.trimStart().startsWith('stepwright_'))
    .join(';')
    .trim();

const isLoopbackAddress = (address: string): boolean =>
  address === '::1' || /^(?:::ffff:)?127\./.test(address);

/** Whether the request came through a proxy, so that it may not be local. */
const isForwarded = (headers: IncomingHttpHeaders): boolean =>
  ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'].some((name) => headers[name] !== undefined);

/**
 * Time that a request continues after its client has disconnected. Most requests finish by then, and the embedded
 * database ends a statement by reopening, which takes about as long.
 */
const leavingGraceMs = 1000;

/** Signals the disconnection of a client. */
export interface ClientDisconnect {
  /** Aborted some time after the connection was closed, unless the response is complete. */
  readonly signal: AbortSignal;
  readonly stopWatching: Dispose;
}

/** Watches the client of a response. */
function watchDisconnect(response: ServerResponse, clock: Clock): ClientDisconnect {
  const leaving = new AbortController();
  let stopTimer: Dispose | undefined;
  const onClose = (): void => {
    if (!response.writableFinished) stopTimer = clock.after(leavingGraceMs, () => leaving.abort());
  };
  response.once('close', onClose);
  return {
    signal: leaving.signal,
    stopWatching: () => {
      response.off('close', onClose);
      stopTimer?.();
    },
  };
}

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
const isPreflight = (headers: IncomingHttpHeaders, method: string): boolean =>
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
    `Pages of ${JSON.stringify(origin)} require a token to use this gateway. Send "Authorization: Bearer TOKEN", ` +
      'or add the origin to gateway.corsOrigins.',
  );
}

/** Sends a server error for a gateway request in the format of gateway errors. */
export function sendGatewayError(
  reply: FastifyReply,
  error: unknown,
  { logger, maxBodyBytes }: { readonly logger: Logger; readonly maxBodyBytes: number },
): FastifyReply {
  const { code, message } = isTooLarge(error)
    ? new AppError('payload_too_large', `The request body exceeds the limit of ${maxBodyBytes} bytes.`)
    : toHttpError(error, logger);
  if (code === 'unsupported_media_type') void reply.header('accept-encoding', acceptedEncodings);
  void reply.header('proxy-status', proxyStatus(code));
  return reply
    .code(errorCodes[code].http)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ code, message, details: null, hint: null }));
}

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE';

/** Path of the gateway. */
const gatewayPrefix = '/gateway';

/** Whether a URL path, with or without query, belongs to the gateway. */
export const isGatewayPath = (url: string): boolean => /^\/gateway(?:[/?]|$)/.test(url);
