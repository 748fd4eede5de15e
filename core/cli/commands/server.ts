import { existsSync } from 'node:fs';
import type { Scheduling } from '../../api/engine-api.ts';
import type { Engine } from '../../engine.ts';
import type { Clock } from '../../base/clock.ts';
import { exitCodes } from '../../base/error-codes.ts';
import type { ConfigFlags } from '../../home/config/engine-config.ts';
import { startServer, readServerSettings } from '../../http/server.ts';
import { startHealthServer, type HealthServer } from '../../http/listen.ts';
import { type CommandContext, printLines } from '../command-context.ts';
import { serverLogger } from '../log-output.ts';
import { waitForSignal } from '../signals.ts';

export interface ServerInput {
  /** Configuration keys from the command line. */
  readonly flags: ConfigFlags;
  /** Also serves schedules and queues (`start-all`). */
  readonly schedules?: boolean;
}

/** Delay before background work, so that waiting clients are served first; in milliseconds. */
const firstRequestsMs = 250;

/**
 * Serves the API and the web UI until SIGINT or SIGTERM. Prints one line to stdout, the URL, when it is ready.
 * The first signal stops its runs gracefully, the second kills them. With `server.onStop: leave` their steps keep
 * running, and the next host takes the runs over.
 */
export async function runServer(
  context: CommandContext,
  { schedules = false, flags }: ServerInput,
): Promise<number> {
  const host = await context.openHost('server', flags);
  try {
    const { webRoot } = context;
    const server = await startServer({
      ...readServerSettings(host.config),
      api: host.api,
      auth: await host.auth(),
      ...(existsSync(webRoot) ? { webRoot } : {}),
      version: context.version,
      metrics: await host.metrics(),
      inbound: host.inbound,
      pings: host.pings,
      gateway: host.gateway,
      logger: serverLogger(context, host.config.logFormat),
      clock: context.clock,
    });
    const signalled = waitForSignal(context, host.config.logFormat, () =>
      host.activeExecutions().forEach((run) => host.forceStop(run)),
    );
    host.monitorResources();
    if (schedules) await serveHome(host, schedules);
    await printLines(context, [`Stepwright is ready at ${server.url}`]);
    if (!schedules && !(await isSignalledWithin(firstRequestsMs, signalled, context.clock)))
      await serveHome(host, schedules);
    context.recordHot();
    await signalled;
    await server.close();
  } finally {
    await host.close(host.config.server.onStop);
  }
  return exitCodes.success;
}

/** Starts the background services of a home. */
async function serveHome(host: Engine, schedules: boolean): Promise<void> {
  host.startRecoveryLoop();
  await host.sendWebhooks();
  if (!schedules) return;
  host.processQueues();
  await host.startScheduling();
}

/** Resolves with true if the signal comes first. */
const isSignalledWithin = (ms: number, signalled: Promise<void>, clock: Clock): Promise<boolean> =>
  Promise.race([
    signalled.then(() => true),
    new Promise<boolean>((resolve) => clock.after(ms, () => resolve(false))),
  ]);

export interface SchedulerInput {
  /** Configuration keys from the command line. */
  readonly flags: ConfigFlags;
}

/**
 * Serves schedules and queues until SIGINT or SIGTERM. Lines on stdout say that it is ready. The first signal stops
 * its runs gracefully, the second kills them. With `scheduler.onStop: leave` their steps keep running, and the next
 * host takes the runs over.
 */
export async function runScheduler(context: CommandContext, input: SchedulerInput): Promise<number> {
  const host = await context.openHost('scheduler', input.flags);
  let health: HealthServer | undefined;
  try {
    const { port } = host.config.scheduler;
    const state: { scheduling?: Scheduling } = {};
    if (port > 0)
      health = await startHealthServer({ port, isHealthy: () => state.scheduling?.isHealthy ?? false });
    host.monitorResources();
    const signalled = waitForSignal(context, host.config.logFormat, () =>
      host.activeExecutions().forEach((run) => host.forceStop(run)),
    );
    host.startRecoveryLoop();
    await host.sendWebhooks();
    host.processQueues();
    state.scheduling = await host.startScheduling(health?.port);
    const check = health === undefined ? 'no health check' : `health check at ${health.url}`;
    await printLines(context, [`Stepwright scheduler started for ${host.home} (${check})`]);
    await signalled;
  } finally {
    await health?.close();
    await host.close(host.config.scheduler.onStop);
  }
  return exitCodes.success;
}
