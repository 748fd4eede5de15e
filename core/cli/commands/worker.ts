import path from 'node:path';
import { errorCodes, exitCodes } from '../../base/error-codes.ts';
import { AppError } from '../../base/errors.ts';
import { loadEngineConfig, type ConfigFlags, type EngineConfig } from '../../home/config/engine-config.ts';
import type { HomePaths } from '../../home/config/home.ts';
import { openWorker, type RunningWorker, type WorkerOptions } from '../../distributed/worker/open-worker.ts';
import { prepareHome } from '../../home/config/prepare-home.ts';
import { startCoordinator } from '../../distributed/coordinator/coordinator.ts';
import type { CoordinatorTls } from '../../distributed/coordinator/coordinator-tls.ts';
import { openTaskFiles } from '../../distributed/files/open-task-files.ts';
import { openDispatch } from '../../distributed/store/open-dispatch.ts';
import { prepareServerDatabase } from '../../store/open-store.ts';
import { type CommandContext, printLines, prepareHomePaths } from '../command-context.ts';
import { hostNotice, serverLogger, type LogFormat } from '../log-output.ts';

export interface WorkerInput {
  /** Configuration keys from the command line. */
  readonly flags: ConfigFlags;
  /** `--server`, possibly given by mistake for `--coordinator`. */
  readonly server?: string | undefined;
}

/**
 * Runs steps for coordinators until SIGINT or SIGTERM. Prints a line to stdout when it has joined. Does not open the
 * database or the rest of the home. Exit code 7 if results could not be reported; they are stored for the next start.
 */
export async function runWorker(context: CommandContext, { flags, server }: WorkerInput): Promise<number> {
  if (server !== undefined)
    throw new AppError(
      'bad_request',
      'A worker connects to coordinators, not to a server. Use --coordinator URL.',
    );
  const { home, environment, configFile, cwd, clock, version } = context;
  const { config, paths } = loadEngineConfig({ home, environment, file: configFile, cwd, flags });
  const logger = serverLogger(context, config.logFormat);
  const watchdog = await context.startWatchdog();
  watchdog.configure({ json: config.logFormat === 'json' });
  const { tls, dir, tokenFile, token, ...settings } = config.worker;
  const worker = await openWorker({
    ...settings,
    ...{ clock, logger, version, environment, token, tokenFile },
    folder: dir ?? path.join(home, 'worker'),
    tls: { ca: tls.caFile, cert: tls.certFile, key: tls.keyFile },
    databases: openDatabases(config, paths, { clock, logger }),
  });
  const stopListening = drainOnSignals(context, worker, config);
  try {
    await worker.run(
      (id) => void printLines(context, [`Stepwright worker ${id} started (slots: ${worker.slots})`]),
    );
  } finally {
    stopListening();
    worker.close();
  }
  return worker.tasks === 0 ? exitCodes.success : errorCodes.unavailable.exit;
}

/** Handles signals. First signal: drain, without a time limit. Second: stop the steps. Third: kill them. */
function drainOnSignals(
  context: CommandContext,
  worker: RunningWorker,
  { logFormat, worker: { drainTimeout } }: EngineConfig,
): () => void {
  const print = hostNotice(context, logFormat);
  let signals = 0;
  const stopSteps = (how: 'stop' | 'kill'): void => {
    worker.stopSteps(how);
    // Results that cannot be reported in this time are stored.
    context.clock.after(reportTimeoutMs, () => worker.abandon());
  };
  return context.onSignal((signal) => {
    signals += 1;
    if (signals === 1) {
      print(`${signal}: draining, ${worker.tasks} steps running (repeat to stop them)`);
      worker.drain();
      context.clock.after(drainTimeout * 1000, () => stopSteps('stop'));
    } else {
      print(`${signal}: ${signals === 2 ? 'stopping' : 'killing'} the steps`);
      stopSteps(signals === 2 ? 'stop' : 'kill');
    }
  });
}

/** Time to report results of stopped steps after their clean-up time, in milliseconds. */
const reportTimeoutMs = 30_000;

/** Opens server databases for SQL steps. The gateway's database is on another machine. */
const openDatabases = (
  { gateway }: EngineConfig,
  paths: HomePaths,
  { clock, logger }: { clock: CommandContext['clock']; logger: ReturnType<typeof serverLogger> },
): WorkerOptions['databases'] => ({
  async open(url) {
    if (url === undefined)
      throw new Error(
        'The gateway database is not available on workers. Set a server (url or connection) in the step.',
      );
    const { openDatabase } = await import('../../gateway/database/open-database.ts');
    const { readGatewaySettings } = await import('../../gateway/gateway-settings.ts');
    return openDatabase({ ...readGatewaySettings({ gateway }), databaseUrl: url }, paths, clock, logger);
  },
});

export interface CoordinatorInput {
  /** Configuration keys from the command line. */
  readonly flags: ConfigFlags;
}

/**
 * Serves workers until SIGINT or SIGTERM. Prints one line to stdout, the URL, when it is ready. It shuts down
 * gracefully: no more work is handed out, waiting workers are redirected to another coordinator, and pending requests
 * are completed.
 */
export async function runCoordinator(context: CommandContext, { flags }: CoordinatorInput): Promise<number> {
  const { home, environment, configFile, cwd, clock, version } = context;
  await prepareHomePaths(context);
  const { config, paths } = loadEngineConfig({ home, environment, file: configFile, cwd, flags });
  const { coordinator: settings, objectStore, logFormat } = config;
  const { database: file, databaseUrl: url } = paths;
  const watchdog = await context.startWatchdog();
  watchdog.configure({ json: logFormat === 'json' });
  const tls = readTls(settings);
  prepareHome(paths);
  // A server database may be empty; the first process creates its tables.
  if (url !== undefined) await prepareServerDatabase(url);
  const store = openDispatch(url === undefined ? { file } : { url }, clock);
  try {
    const { host, port, publicUrl, maxConnections, syncLogs } = settings;
    const coordinator = await startCoordinator({
      store,
      files: await openTaskFiles({ url: objectStore.url, syncsLogs: syncLogs }),
      host,
      port,
      publicUrl,
      tls,
      connections: maxConnections,
      version,
      clock,
      logger: serverLogger(context, logFormat),
    });
    const signalled = untilStopped(context, logFormat);
    await printLines(context, [`Stepwright coordinator listening at ${coordinator.url}`]);
    await signalled;
    await coordinator.close();
  } finally {
    await store.close();
  }
  return exitCodes.success;
}

/** Returns the TLS files; undefined if TLS is off. Throws `invalid_config`. */
function readTls({ tls, host }: EngineConfig['coordinator']): CoordinatorTls | undefined {
  const { enabled, certFile, keyFile, clientCaFile, crlFile } = tls;
  if (!enabled) return undefined;
  if (certFile !== undefined && keyFile !== undefined) return { certFile, keyFile, clientCaFile, crlFile };
  throw new AppError(
    'invalid_config',
    `A coordinator requires a TLS certificate. Set --tls-cert and --tls-key (coordinator.tls.certFile and keyFile), or use --no-tls for local workers only (host ${host}).`,
  );
}

/** Resolves at the first signal. The second ends the process, which is safe because a coordinator has no state. */
function untilStopped(context: CommandContext, format: LogFormat): Promise<void> {
  const print = hostNotice(context, format);
  return new Promise((resolve) => {
    let isAsked = false;
    context.onSignal((signal) => {
      if (isAsked) process.exit(exitCodes.terminated);
      isAsked = true;
      print(`${signal}: moving workers to other coordinators (repeat to exit immediately)`);
      resolve();
    }, 'always');
  });
}
