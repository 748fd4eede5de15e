import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findLocation } from '../../api/answer-places.ts';
import { networkPrefixOf } from '../../auth/network-of.ts';
import { AppError } from '../../base/errors.ts';
import type { Clock } from '../../base/clock.ts';
import { v1Prefix } from '../../contract/transport/http-wire.ts';
import { respondToMissingRoute } from '../routes/missing-routes.ts';
import type { ResponseListener } from '../routes/operation-routes.ts';
import { acceptsJson } from './accepts-json.ts';
import { RateLimit } from './rate-limit.ts';

/** Settings of the quotes service. */
export interface QuoteSettings {
  /** Per client; 0 for no limit. */
  readonly requestsPerMinute: number;
  /** Whether it is down for maintenance. */
  readonly maintenance: boolean;
}

/** Defaults. */
export const defaultQuoteSettings: QuoteSettings = { requestsPerMinute: 600, maintenance: false };

/** `Retry-After` during maintenance, in seconds. */
const maintenanceRetrySec = 60;

const quotesPath = `${v1Prefix}/quotes`;
const reading = ['GET', 'HEAD'];

const isQuoteRequest = ({ routeOptions, url }: FastifyRequest): boolean =>
  /^\/api\/v1\/quotes(?:[/?]|$)/.test(routeOptions.url ?? url);

/** Adds rate limits, content negotiation and method checks, which the operations do not define. */
export function guardQuotes(
  app: FastifyInstance,
  { settings, clock }: { readonly settings: QuoteSettings; readonly clock: Clock },
): void {
  const limit = settings.requestsPerMinute > 0 ? new RateLimit(settings.requestsPerMinute, clock) : undefined;
  app.addHook('onRequest', async (request, reply) => {
    if (!isQuoteRequest(request)) return;
    if (settings.maintenance) {
      throw new AppError(
        'unavailable',
        'Quotes are temporarily unavailable for maintenance. Try again later.',
        {
          details: { retryAfter: maintenanceRetrySec },
        },
      );
    }
    if (limit) countRequest(limit, request, reply);
    // Before the body is parsed, so that its format does not matter.
    if (!reading.includes(request.method)) respondToMissingRoute(request, reply);
    if (!acceptsJson(request.headers.accept)) {
      throw new AppError(
        'not_acceptable',
        'Quotes are only available as application/json. Send "Accept: application/json", or omit the header.',
      );
    }
    checkName(request);
  });
}

/** Adds routes for unknown quote paths, so that they respond with 404 without authentication. */
export function addUnknownQuoteRoutes(app: FastifyInstance): void {
  const config = { isOpen: true } as const;
  const others = app.supportedMethods.filter((method) => !reading.includes(method));
  app.route({
    method: app.supportedMethods,
    url: `${quotesPath}/*`,
    config,
    handler: respondToMissingRoute,
    exposeHeadRoute: false,
  });
  for (const path of ['', '/', '/random', '/personalized', '/:id'])
    app.route({ method: others, url: quotesPath + path, config, handler: respondToMissingRoute });
}

/** Sets `Content-Location` of a quote, whose fields do not contain its URL (RFC 9110, 8.7). */
export const setQuoteLocation =
  (basePath: string): ResponseListener =>
  (_name, output, reply) => {
    const location = findLocation(output);
    if (location !== undefined) void reply.header('content-location', `${basePath}${quotesPath}/${location}`);
  };

function countRequest(limit: RateLimit, request: FastifyRequest, reply: FastifyReply): void {
  const { isGranted, remaining, resetSec, retryAfterSec } = limit.take(networkPrefixOf(request.ip));
  void reply.headers({
    'ratelimit-policy': `${limit.perMinute};w=60`,
    'ratelimit-limit': limit.perMinute,
    'ratelimit-remaining': remaining,
    'ratelimit-reset': resetSec,
  });
  if (isGranted) return;
  throw new AppError(
    'too_many_requests',
    `Rate limit exceeded (${limit.perMinute} requests per minute). Try again in ${retryAfterSec} s.`,
    { details: { retryAfter: retryAfterSec } },
  );
}

/** Checks the name with a better message than the schema's. */
function checkName({ routeOptions, url }: FastifyRequest): void {
  if (routeOptions.config.operation !== 'quotes.personalized') return;
  const queryStart = url.indexOf('?');
  if (queryStart >= 0 && new URLSearchParams(url.slice(queryStart + 1)).has('q')) return;
  throw new AppError(
    'bad_request',
    `Missing query parameter "q". Example: ${quotesPath}/personalized?q=Ada.`,
    { details: { field: 'q' } },
  );
}
