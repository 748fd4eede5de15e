import { exitCodes } from '../../base/error-codes.ts';
import { AppError } from '../../base/errors.ts';
import { loadEngineConfig, type ConfigFlags, type EngineConfig } from '../../home/config/engine-config.ts';
import { prepareHome } from '../../home/config/prepare-home.ts';
import { startCoordinator } from '../../distributed/coordinator/coordinator.ts';
import type { CoordinatorTls } from '../../distributed/coordinator/coordinator-tls.ts';
import { openTaskFiles } from '../../distributed/files/open-task-files.ts';
import { openDispatch } from '../../distributed/store/open-dispatch.ts';
import { openServerDatabase } from '../../store/open-store.ts';
import { type CommandContext, printLines } from '../command-context.ts';
import { prepareHomePaths } from '../create-context.ts';
import { hostNotice, serverLogger, type LogFormat } from '../log-output.ts';

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
  if (url !== undefined) openServerDatabase(url).close();
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
