import type { Scheduling } from '../../../api/engine-host.ts';
import { exitCodes } from '../../../base/error-codes.ts';
import type { ConfigFlags } from '../../../config/engine-config.ts';
import { startHealthServer, type HealthServer } from '../../../http/health-server.ts';
import { type CommandContext, printLines } from '../../command-context.ts';
import { waitForSignal } from '../../until-signal.ts';

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
