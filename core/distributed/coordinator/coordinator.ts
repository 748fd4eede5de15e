import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { Connections } from '../../http/connections.ts';
import { listen } from '../../http/listen.ts';
import { isLoopbackName } from '../../http/origin-guard.ts';
import { warnOfExpiry } from '../../http/tls/renewal.ts';
import type { TaskFiles } from '../files-port.ts';
import type { DispatchStore } from '../ports.ts';
import { createApp, httpsOptions } from './create-app.ts';
import { ClaimService } from './claims/claim-service.ts';
import { CertificateIdentity } from './identity/certificates.ts';
import { TokenIdentity } from './identity/tokens.ts';
import { addFileRoutes } from './routes/file-routes.ts';
import { addHealthRoute } from './routes/health-route.ts';
import { addMetricsRoute } from './routes/metrics-route.ts';
import { addWorkRoutes } from './routes/work-routes.ts';
import { readSecureContext, type CoordinatorTls } from './tls/coordinator-tls.ts';
import { Trust } from './tls/trust.ts';
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
      if (trust?.isOfNow(raw.socket) !== false) return;
      void reply.header('connection', 'close');
      throw new AppError('unavailable', 'The coordinator has new certificates. Reconnect.');
    });
  const identity =
    tls?.clientCaFile === undefined ? new TokenIdentity(store, clock) : new CertificateIdentity(clock);
  const waiting = (): number => claimService.size;
  addWorkRoutes(app, { store, claimService, identity, clock });
  addFileRoutes(app, { store, files: options.files, identity });
  addHealthRoute(app, { store, version, isServing: () => isServing, waiting });
  addMetricsRoute(app, { store, waiting });
  const url = await listen(app, { ...options, allowRemote: true, scheme: tls ? 'https' : 'http' });
  if (tls && context) warnOfExpiry(context, tls, { clock, logger });
  const id = randomUUID();
  const registration = { id, url: options.publicUrl ?? url, version, host: hostname(), pid: process.pid };
  const maintenance = new CoordinatorMaintenance({ store, clock, logger, registration, workers: waiting });
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
