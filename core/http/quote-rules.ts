import { LruCache } from '../base/lru-cache.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findLocation } from '../api/views.ts';
import { getNetworkPrefix } from '../api/auth/login-throttle.ts';
import { AppError } from '../base/errors.ts';
import type { Clock } from '../base/clock.ts';
import { v1Prefix } from '../contract/transport.ts';
import { respondToMissingRoute } from './missing-routes.ts';
import type { ResponseListener } from './operation-routes.ts';

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
  const { isGranted, remaining, resetSec, retryAfterSec } = limit.take(getNetworkPrefix(request.ip));
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

/** Maximum number of tracked clients; beyond it, the least recently active one is dropped. */
export const maxRemembered = 10_000;

const minuteMs = 60_000;

/** Remaining allowance of a client. */
export interface RateLimitState {
  /** Whether the request is within the limit. */
  readonly isGranted: boolean;
  /** Requests that may follow immediately. */
  readonly remaining: number;
  /** Seconds until the full allowance is available. */
  readonly resetSec: number;
  /** Seconds until the next request is allowed; 0 if allowed now. */
  readonly retryAfterSec: number;
}

/**
 * Limits requests per client with a token bucket: a client can use its allowance of a minute at once, and gets it back
 * evenly over a minute, so that there is no window edge at which twice as many requests would pass.
 */
export class RateLimit {
  readonly perMinute: number;
  readonly #clock: Clock;
  /** Time on the monotonic clock at which a client's allowance is full again, in the order of the last request. */
  readonly #refilledAt = new LruCache<string, number>(maxRemembered);

  constructor(perMinute: number, clock: Clock) {
    this.perMinute = perMinute;
    this.#clock = clock;
  }

  /** Number of tracked clients. */
  get size(): number {
    return this.#refilledAt.size;
  }

  /** Counts a request unless it is rejected. */
  take(client: string): RateLimitState {
    const now = this.#clock.monotonic();
    const each = minuteMs / this.perMinute;
    const before = Math.max(now, this.#refilledAt.get(client) ?? 0);
    // Rounding errors must not reject the last request of a minute.
    const isGranted = before + each - now <= minuteMs + each / 1000;
    const refilledAt = isGranted ? before + each : before;
    this.#refilledAt.set(client, refilledAt);
    return {
      isGranted,
      remaining: Math.max(0, Math.floor((minuteMs - (refilledAt - now)) / each + 0.001)),
      resetSec: Math.ceil((refilledAt - now) / 1000),
      retryAfterSec: isGranted ? 0 : Math.max(1, Math.ceil((before + each - now - minuteMs) / 1000)),
    };
  }
}

/** Media ranges that include JSON; the most specific one wins (RFC 9110, 12.5.1). */
const ranges = ['application/json', 'application/*', '*/*'];

/** Whether the `Accept` header allows JSON; true without a header. */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === '') return true;
  const requests = new Map<string, number>();
  for (const part of accept.split(',')) {
    const [range = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase());
    requests.set(range, Math.max(readQuality(parameters), requests.get(range) ?? 0));
  }
  const decisive = ranges.find((range) => requests.has(range));
  return decisive !== undefined && requests.get(decisive)! > 0;
}

function readQuality(parameters: readonly string[]): number {
  const written = parameters.find((parameter) => /^q\s*=/.test(parameter));
  if (written === undefined) return 1;
  const quality = Number(written.slice(written.indexOf('=') + 1));
  return quality >= 0 ? quality : 0;
}
