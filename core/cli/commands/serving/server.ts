import { existsSync } from 'node:fs';
import { exitCodes } from '../../../base/error-codes.ts';
import type { ConfigFlags } from '../../../config/engine-config.ts';
import { startServer } from '../../../http/server.ts';
import { readServerSettings } from '../../../http/server-settings.ts';
import { type CommandContext, printLines } from '../../command-context.ts';
import { serverLogger } from '../../report/log-lines.ts';
import { untilSignal } from '../../until-signal.ts';

export interface ServerInput {
  /** What the command line says of keys of the configuration. */
  readonly flags: ConfigFlags;
  /** Serves the schedules and queues, too (`start-all`). */
  readonly schedules?: boolean;
}

/**
 * Serves the API and the web UI until SIGINT or SIGTERM. The one line on stdout, with the URL, says
 * that it is ready. On the first signal it stops its runs in order, on the second it kills them; with `server.onStop:
 * leave` their steps go on instead, and the next host takes the runs over.
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
      gateway: host.gateway,
      logger: serverLogger(context, host.config.logFormat),
      clock: context.clock,
    });
    host.monitorResources();
    const signalled = untilSignal(context, host.config.logFormat, () =>
      host.drivenRuns().forEach((run) => host.forceStop(run)),
    );
    host.keepTakingOver();
    await host.sendWebhooks();
    if (schedules) {
      host.processQueues();
      await host.startScheduling();
    }
    await printLines(context, [`Stepwright is ready at ${server.url}`]);
    context.keepCalled();
    await signalled;
    await server.close();
  } finally {
    await host.close(host.config.server.onStop);
  }
  return exitCodes.success;
}
