import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Server as HttpsServer } from 'node:https';
import fastify, { type FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Clock } from '../../base/clock.ts';
import { AppError, getErrorMessage } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { Connections, listen } from '../../http/listen.ts';
import { isLoopbackName, apiHeaders, responseHeaders } from '../../http/origin-guard.ts';
import { warnAboutExpiry } from '../../http/tls.ts';
import type { TaskFiles } from '../../run/remote/task-files.ts';
import type { DispatchStore } from '../../store/types/dispatch.ts';
import { respondToBrokenRequest, sendError, toHttpError } from '../../http/http-error.ts';
import { acceptJsonBodies, withoutSchemas } from '../../http/json-bodies.ts';
import { ClaimService } from './claim-service.ts';
import { CertificateIdentity, TokenIdentity } from './identity.ts';
import { addFileRoutes, addWorkRoutes } from './work-routes.ts';
import { readSecureContext, type CoordinatorTls, Trust, type SecureContext } from './coordinator-tls.ts';
import { CoordinatorMaintenance } from './coordinator-maintenance.ts';

export interface CoordinatorOptions {
  /** The store stays open after the coordinator has closed. */
  readonly store: DispatchStore;
  readonly files: TaskFiles;
  /** Host name or address to bind to. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** URL for workers, for display. Default: the listening address. */
  readonly publicUrl?: string | undefined;
  /** Absent: plain HTTP, on loopback only. */
  readonly tls?: CoordinatorTls | undefined;
  /** Maximum number of connections; each waiting worker uses one. */
  readonly connections?: number;
  readonly version: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface RunningCoordinator {
  readonly id: string;
  /** Listening URL, without a trailing slash. */
  readonly url: string;
  /** Number of waiting workers. */
  waiting(): number;
  /**
   * Shuts down gracefully: no more work is handed out or reclaimed, waiting workers are redirected to another
   * coordinator, and pending requests are completed.
   */
  close(): Promise<void>;
}

const defaultConnections = 20_000;
/** Maximum time that `close` waits for pending requests before it closes their connections. */
const closeGraceMs = 10_000;

/**
 * Starts a coordinator on a database. It has no state of its own, so several can run, and each can stop at any time.
 * Throws `invalid_config` for invalid certificates, `forbidden` for a non-loopback host without TLS, `unavailable` if
 * the port is in use or the database is unreachable.
 */
export async function startCoordinator(options: CoordinatorOptions): Promise<RunningCoordinator> {
  const { store, tls, clock, logger, version } = options;
  if (tls === undefined && !isLoopbackName(options.host)) throw tlsRequiredError(options.host);
  const context = tls && readSecureContext(tls);
  const app = createApp(context, logger);
  const connections = new Connections(options.connections ?? defaultConnections);
  connections.watch(app);
  const claimService = new ClaimService(store, clock);
  let isServing = true;
  const trust =
    tls &&
    new Trust(httpsOptions(app), { files: tls, clock, logger, renewed: () => claimService.endPolls() });
  if (tls?.clientCaFile !== undefined)
    app.addHook('onRequest', async ({ raw }, reply) => {
      if (trust?.isCurrent(raw.socket) !== false) return;
      void reply.header('connection', 'close');
      throw new AppError('unavailable', 'The coordinator has new certificates. Reconnect.');
    });
  const identity =
    tls?.clientCaFile === undefined ? new TokenIdentity(store, clock) : new CertificateIdentity(clock);
  const waiting = (): number => claimService.size;
  addWorkRoutes(app, store, claimService, identity, clock);
  addFileRoutes(app, store, options.files, identity);
  addHealthRoute(app, store, version, () => isServing, waiting);
  addMetricsRoute(app, store, waiting);
  const url = await listen(app, { ...options, allowRemote: true, scheme: tls ? 'https' : 'http' });
  if (tls && context) warnAboutExpiry(context, tls, { clock, logger });
  const id = randomUUID();
  const registration = { id, url: options.publicUrl ?? url, version, host: hostname(), pid: process.pid };
  const maintenance = new CoordinatorMaintenance(store, clock, logger, registration, waiting);
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    isServing = false;
    const abort = clock.after(closeGraceMs, () => connections.cut());
    trust?.close();
    connections.rejectNew();
    claimService.close();
    await app.close();
    abort();
    await maintenance.close();
  };
  const running = { id, url, waiting, close: () => (closing ??= close()) };
  await maintenance.beat().catch(async (error: unknown) => {
    await running.close();
    throw error;
  });
  return running;
}

const tlsRequiredError = (host: string): AppError =>
  new AppError(
    'forbidden',
    `Refusing to serve ${host} without TLS: steps and their secrets would be sent unencrypted. Set a certificate (--tls-cert, --tls-key), or listen on 127.0.0.1.`,
  );

/** Maximum size of a message or log part in bytes. */
const maximumBody = 8 * 1_048_576;
/** Timeout for request headers, in milliseconds. */
const headersTimeoutMs = 15_000;
/** Timeout for a whole request, in milliseconds; uploading an artifact may take long. */
const requestTimeoutMs = 3_600_000;
/** Longer than the heartbeat interval of workers, so that connections stay open. */
const keepAliveMs = 75_000;

/** Creates the HTTP server of a coordinator, without routes. Workers without a certificate get an error message. */
function createApp(context: SecureContext | undefined, logger: Logger): FastifyInstance {
  const http = { headersTimeout: headersTimeoutMs };
  const secure = context && {
    ...http,
    ...context,
    ...(context.ca ? { requestCert: true, rejectUnauthorized: false } : {}),
  };
  const app = fastify({
    logger: false,
    bodyLimit: maximumBody,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveMs,
    // The type requires one of the two; an `https` server supports everything that is used here.
    ...(secure ? { https: secure as unknown as null } : { http }),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    schemaController: withoutSchemas,
    clientErrorHandler: (error, socket) => respondToBrokenRequest(error, socket),
    routerOptions: { maxParamLength: 16_384 * 3 },
    frameworkErrors: (error, _request, reply) => void sendError(reply, toHttpError(error, logger)),
  });
  acceptJsonBodies(app);
  app.addHook('onRequest', async (_request, reply) => {
    void reply.headers({ ...responseHeaders, ...apiHeaders });
  });
  app.setErrorHandler((error, _request, reply) => {
    const failure = toHttpError(error, logger);
    if (failure.code === 'unavailable') void reply.header('retry-after', '1');
    return sendError(reply, failure);
  });
  app.setNotFoundHandler(({ method, url }) => {
    const path = url.split('?', 1)[0];
    throw new AppError('not_found', `Not found on this coordinator: ${method} ${path}.`);
  });
  return app;
}

/** Returns the HTTPS server of an app. */
const httpsOptions = (app: FastifyInstance): HttpsServer => app.server as unknown as HttpsServer;

/**
 * Adds `GET /health` without authentication: 200 while serving workers, 503 while the database is unreachable or the
 * coordinator is closing, so that a load balancer uses another one.
 * @param isServing whether it can hand out tasks
 * @param waiting number of workers waiting at this coordinator
 */
function addHealthRoute(
  app: FastifyInstance,
  store: DispatchStore,
  version: string,
  isServing: () => boolean,
  waiting: () => number,
): void {
  app.get('/health', async (_request, reply) => {
    const database = await askDatabase(store);
    const isHealthy = isServing() && database.status === 'healthy';
    return reply.code(isHealthy ? 200 : 503).send({
      status: isHealthy ? 'healthy' : 'unhealthy',
      version,
      isStopping: !isServing(),
      waitingWorkers: waiting(),
      database,
    });
  });
}

async function askDatabase(store: DispatchStore): Promise<{ readonly status: string }> {
  try {
    const { ready, claimed, running } = await store.stats();
    return { status: 'healthy', ...{ tasks: { ready, claimed, running } } };
  } catch (error) {
    return { status: 'unhealthy', ...{ reason: getErrorMessage(error) } };
  }
}

/** Adds `GET /metrics` in the Prometheus text format without authentication: only counts, no task data. */
function addMetricsRoute(app: FastifyInstance, store: DispatchStore, waiting: () => number): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'stepwright_coordinator_' });
  const gauge = (name: string, help: string, labelNames: readonly string[] = []): Gauge =>
    new Gauge({ name: `stepwright_coordinator_${name}`, help, labelNames, registers: [registry] });
  const tasks = gauge('tasks', 'Tasks in the database, by state', ['state']);
  const stale = gauge('stale_results', 'Results rejected because of an outdated fence');
  const workers = gauge('waiting_workers', 'Workers connected to this coordinator and waiting for tasks');
  app.get('/metrics', async (_request, reply) => {
    const { ready, claimed, running, staleRefused } = await store.stats();
    for (const [state, count] of Object.entries({ ready, claimed, running })) tasks.set({ state }, count);
    stale.set(staleRefused);
    workers.set(waiting());
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}
