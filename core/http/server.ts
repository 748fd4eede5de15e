import type { Server as HttpsServer } from 'node:https';
import type { IncomingMessage } from 'node:http';
import fastify, { type FastifyInstance } from 'fastify';
import { prepareApi } from '../api/create-api.ts';
import type { Auth } from '../api/auth/auth.ts';
import { defaultServicePaths } from '../api/auth/identity.ts';
import type { EngineApi } from '../api/engine-api.ts';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { timings } from '../base/timings.ts';
import type { EngineMetrics } from '../api/metrics/engine-metrics.ts';
import { apiPrefix } from '../contract/transport.ts';
import { buildOpenApi } from '../contract/openapi.ts';
import type { GatewayService } from '../gateway/service/gateway-service.ts';
import type { LazyInbound } from '../webhooks/lazy-inbound.ts';
import { AppError } from '../base/errors.ts';
import type { PingStore } from '../store/types/pings.ts';
import type { EngineConfig } from '../home/config/engine-config.ts';
import { addAuthentication } from './authentication.ts';
import { renewSession, SessionCookie, listStartHints } from './session-cookie.ts';
import { addArtifactRoute } from './artifact-route.ts';
import { addOperationRoutes, StreamRoutes } from './operation-routes.ts';
import { respondToBrokenRequest, defaultMaxBodyBytes, sendError, toHttpError } from './http-error.ts';
import { Connections, listen } from './listen.ts';
import { acceptJsonBodies, withoutSchemas } from './json-bodies.ts';
import { checkRequestOrigin, isGatewayPath, sendGatewayError, addGatewayRoutes } from './gateway-routes.ts';
import { addWebhookRoutes } from './add-webhook-routes.ts';
import { addMetrics } from './metrics.ts';
import { findAllowedMethods, isApiPath, rejectMissingRoutes } from './missing-routes.ts';
import { addWebUi, opensGatewayPage, respondToPage } from './web-ui.ts';
import {
  checkOrigin,
  isLoopbackName,
  type ServerNames,
  apiHeaders,
  responseHeaders,
  strictTransportSecurity,
} from './origin-guard.ts';
import { addPingRoutes, isPingPath } from './ping-routes.ts';
import { isReceiverPath, addReceiverRoutes } from './receiver-routes.ts';
import {
  addUnknownQuoteRoutes,
  defaultQuoteSettings,
  guardQuotes,
  setQuoteLocation,
  type QuoteSettings,
} from './quote-rules.ts';
import {
  readKeyPair,
  type KeyPair,
  type TlsFiles,
  redirectToHttps,
  renewKeyPair,
  warnAboutExpiry,
} from './tls.ts';
import { addVersionedHealth, addV1Routes } from './v1-routes.ts';

/** Maximum time that `close` waits for pending requests before it closes their connections. */
export const closeGraceMs = 10_000;

/** Limits per connection and in total. */
export interface ServerLimits {
  /** Timeout for request headers, in milliseconds. */
  readonly headersTimeoutMs: number;
  /** Timeout for a whole request with its body. */
  readonly requestTimeoutMs: number;
  /** Interval of checking both. */
  readonly checkMs: number;
  /** Maximum number of served connections, including streams; further ones are rejected with `unavailable`. */
  readonly connections: number;
}

/** Maximum share of connections per address. */
const addressShare = 3 / 4;

export const defaultLimits = (): ServerLimits => ({
  headersTimeoutMs: timings.requestHead,
  requestTimeoutMs: 60_000,
  checkMs: timings.requestCheck,
  connections: 2_000,
});

export interface ServerOptions {
  readonly api: EngineApi;
  /** Host name or address to bind to; anything except loopback needs authentication or `allowRemote`. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly allowRemote?: boolean;
  /** Path prefix: empty, or for example `/flows`. */
  readonly basePath?: string;
  /** Public URL behind a proxy; its host is accepted as a name of this server. */
  readonly publicUrl?: string | undefined;
  /** If set, the server supports only https, TLS 1.2 or later. */
  readonly tls?: TlsFiles | undefined;
  /** Users, tokens and sessions; without it there is no authentication. */
  readonly auth?: Auth;
  /** Paths without authentication in any mode; `*` matches part of one segment. */
  readonly servicePaths?: readonly string[];
  /** Settings of the quotes service. */
  readonly quotes?: QuoteSettings;
  /** Directory of the built web UI; without it only the API is served. */
  readonly webRoot?: string;
  readonly version: string;
  /** Served at `/api/v2/metrics`, if present. */
  readonly metrics?: EngineMetrics;
  /** Incoming webhooks at `/webhooks/{id}`, if present. */
  readonly inbound?: LazyInbound;
  /** Pings at `/ping/{token}`, if present. */
  readonly pings?: PingStore;
  /** The database gateway at `/gateway`, if present. */
  readonly gateway?: GatewayService;
  readonly limits?: Partial<ServerLimits>;
  readonly logger: Logger;
  readonly clock: Clock;
}

export interface RunningServer {
  /** URL without a trailing slash. */
  readonly url: string;
  /** Ends the streams, waits for pending requests, and stops listening. */
  close(): Promise<void>;
}

/**
 * Starts the server: the engine API, its events and the web UI. Throws `forbidden` for an unprotected non-loopback
 * host, `unavailable` if the port is in use, `invalid_config` for an invalid certificate.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { tls, metrics, basePath = '' } = options;
  const limits = { ...defaultLimits(), ...options.limits };
  const pair = tls && readKeyPair(tls);
  const connections = new Connections(limits.connections, Math.ceil(limits.connections * addressShare));
  const app = createApp(options, { limits, connections }, pair);
  const { api } = options;
  await prepareApi();
  const streamRoutes = new StreamRoutes(api, options.clock, (name) => metrics?.http.streamOpened(name));
  guardRequests(app, options);
  // Before other connection listeners.
  if (tls) sendToHttps(app, options, limits);
  connections.watch(app);
  const cookie = await authenticate(app, options);
  guardQuotes(app, { settings: options.quotes ?? defaultQuoteSettings, clock: options.clock });
  addMetrics(app, metrics);
  rejectMissingRoutes(app, (url) => options.gateway !== undefined && isGatewayPath(url));
  addOperationRoutes(app, api, [...(cookie ? [renewSession(cookie)] : []), setQuoteLocation(basePath)]);
  addArtifactRoute(app, api);
  addUnknownQuoteRoutes(app);
  streamRoutes.register(app);
  addWebhookRoutes(app, { api, basePath: options.basePath, logger: options.logger });
  addVersionedHealth(app, api);
  if (options.auth?.isRequired !== true) addV1Routes(app, api, options.basePath);
  const { inbound } = options;
  if (inbound) addReceiverRoutes(app, () => inbound.intake());
  if (options.pings) addPingRoutes(app, options.pings, options.clock);
  serveGateway(app, options);
  addOpenApi(app, options, cookie?.name);
  if (options.webRoot !== undefined) await addWebUi(app, options.webRoot);
  // A server with authentication may be reachable from other machines.
  const allowRemote = options.allowRemote === true || options.auth?.isRequired === true;
  const url = await listen(app, { ...options, allowRemote, scheme: tls ? 'https' : 'http' });
  if (tls && pair) warnAboutExpiry(pair, tls, options);
  const endRenewal = tls && renewKeyPair(app.server as HttpsServer, tls, options);
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    const abort = options.clock.after(closeGraceMs, () => connections.cut());
    endRenewal?.();
    connections.rejectNew();
    streamRoutes.endAll();
    await app.close();
    abort();
  };
  inbound?.serve(url + basePath);
  return { url: url + basePath, close: () => (closing ??= close()) };
}

function createApp(
  { logger, clock, basePath = '', gateway, webRoot }: ServerOptions,
  { limits, connections }: { readonly limits: ServerLimits; readonly connections: Connections },
  pair?: KeyPair,
): FastifyInstance {
  const { headersTimeoutMs, requestTimeoutMs, checkMs } = limits;
  const http = { headersTimeout: headersTimeoutMs, connectionsCheckingInterval: checkMs };
  const allowedAt = (path: string): string[] =>
    findAllowedMethods(path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path);
  const app = fastify({
    logger: false,
    bodyLimit: defaultMaxBodyBytes,
    requestTimeout: requestTimeoutMs,
    // The type requires one of the two; an `https` server supports everything that is used here.
    ...(pair ? { https: { ...http, ...pair } as unknown as null } : { http }),
    rewriteUrl: toRoute(basePath, webRoot !== undefined),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    schemaController: withoutSchemas,
    clientErrorHandler: (error, socket) => {
      const respond = (): void => respondToBrokenRequest(error, socket, allowedAt);
      if (error.code !== 'ERR_HTTP_REQUEST_TIMEOUT') respond();
      else connections.respondToTimeout(socket, (read) => clock.soon(read), respond);
    },
    // Step names have no length limit of their own; here, the header size limits them.
    routerOptions: { maxParamLength: 16_384 },
    frameworkErrors: (error, request, reply) => {
      void reply.headers({ ...responseHeaders, ...apiHeaders });
      if (gateway && isGatewayPath(request.url))
        void sendGatewayError(reply, error, { logger, maxBodyBytes: gateway.maxBodyBytes });
      else void sendError(reply, toHttpError(error, logger));
    },
  });
  acceptJsonBodies(app);
  app.setErrorHandler((error, { routeOptions }, reply) =>
    sendError(reply, toHttpError(error, logger, routeOptions.bodyLimit)),
  );
  app.setNotFoundHandler(respondToPage);
  return app;
}

function sendToHttps(app: FastifyInstance, options: ServerOptions, limits: ServerLimits): void {
  const { clock } = options;
  const timeoutMs = limits.headersTimeoutMs;
  redirectToHttps(app.server as HttpsServer, { names: getNames(options), clock, timeoutMs });
}

const getNames = ({ host, publicUrl, tls }: ServerOptions): ServerNames => ({
  boundHost: host,
  publicUrl,
  isSecure: tls !== undefined,
});

function guardRequests(app: FastifyInstance, options: ServerOptions): void {
  const isSecure = options.tls !== undefined;
  const names = getNames(options);
  const { gateway: rules } = options;
  app.addHook('onRequest', async (request, reply) => {
    const { headers, method, url } = request;
    void reply.headers(responseHeaders);
    if (isSecure) void reply.headers(strictTransportSecurity(headers.host));
    const isGatewayRequest = rules !== undefined && isGatewayPath(url);
    if (isGatewayRequest || isApiPath(url)) void reply.headers(apiHeaders);
    if (isGatewayRequest) void reply.headers(checkRequestOrigin(headers, method, { names, rules }));
    else if (!isReceiverPath(url) && !isPingPath(url)) checkOrigin(headers, method, names);
  });
  guardBasePath(app, options.basePath ?? '');
}

async function authenticate(
  app: FastifyInstance,
  options: ServerOptions,
): Promise<SessionCookie | undefined> {
  const { auth, clock, basePath = '', publicUrl = '', servicePaths = defaultServicePaths } = options;
  const isSecure = options.tls !== undefined || publicUrl.startsWith('https:');
  const cookie = auth && new SessionCookie({ realm: auth.realm, basePath, isSecure, clock });
  for (const line of auth ? listStartHints(auth, { host: options.host, isSecure }) : [])
    options.logger.warn(line);
  await addAuthentication(app, { auth, cookie, servicePaths });
  if (auth?.provider && cookie) {
    // Loaded only if configured, because it loads the cookie encryption.
    const { addOidc } = await import('./oidc.ts');
    const { provider } = auth;
    const isTls = options.tls !== undefined;
    addOidc(app, { auth, provider, cookie, basePath, isSecure, isTls, publicUrl: options.publicUrl, clock });
  }
  return cookie;
}

function serveGateway(app: FastifyInstance, options: ServerOptions): void {
  const { gateway: door, basePath = '', publicUrl, host, auth, logger } = options;
  // With login or behind a proxy, a local connection does not identify the user.
  const trustsLoopback = isLoopbackName(host) && auth?.isRequired !== true && publicUrl === undefined;
  if (door) addGatewayRoutes(app, { door, basePath, trustsLoopback, clock: options.clock, logger });
}

function addOpenApi(
  app: FastifyInstance,
  { version, basePath }: ServerOptions,
  sessionCookie: string | undefined,
): void {
  let text: string | undefined;
  app.get(`${apiPrefix}/openapi.json`, { config: { isOpen: true } }, (_request, reply) => {
    text ??= JSON.stringify(buildOpenApi(version, { basePath, sessionCookie }));
    return reply.type('application/json; charset=utf-8').send(text);
  });
}

/** Returns a function that maps a URL to a route: removes the base path, and leads browsers to the Gateway page. */
const toRoute =
  (basePath: string, hasPages: boolean) =>
  (request: IncomingMessage): string => {
    const { url = '/' } = request;
    const route = basePath !== '' && isUnder(url, basePath) ? url.slice(basePath.length) : url;
    return hasPages && opensGatewayPage(request, route) ? '/' : route;
  };

/**
 * Rejects paths outside the base path, and redirects the base path without its trailing slash, because the page uses
 * relative URLs.
 * @param basePath empty, or for example `/flows`
 */
function guardBasePath(app: FastifyInstance, basePath: string): void {
  if (basePath === '') return;
  app.addHook('onRequest', async ({ originalUrl, method }, reply) => {
    const [path = ''] = originalUrl.split('?', 1);
    if (isUnder(originalUrl, basePath)) return undefined;
    const reads = method === 'GET' || method === 'HEAD';
    if (path === basePath && reads)
      return reply.redirect(`${basePath}/${originalUrl.slice(path.length)}`, 308);
    throw new AppError('not_found', `Not found: ${path}. This server is at ${basePath}/.`);
  });
}

const isUnder = (url: string, basePath: string): boolean => url.startsWith(`${basePath}/`);

/** Server options from the configuration. */
type ConfiguredOptions = Pick<
  ServerOptions,
  'host' | 'port' | 'allowRemote' | 'basePath' | 'publicUrl' | 'servicePaths' | 'tls' | 'limits' | 'quotes'
>;

/** Returns the server options of the configuration. */
export function readServerSettings({ server, quotes }: EngineConfig): ConfiguredOptions {
  const { host, port, allowRemote, basePath, publicUrl, servicePaths, maxConnections } = server;
  const { certFile, keyFile } = server.tls;
  return {
    host,
    port,
    allowRemote,
    basePath,
    publicUrl,
    servicePaths,
    quotes,
    limits: { connections: maxConnections },
    tls: certFile === undefined || keyFile === undefined ? undefined : { certFile, keyFile },
  };
}
