import { existsSync } from 'node:fs';
import { exitCodes } from '../../base/error-codes.ts';
import { startServer } from '../../http/server.ts';
import { type CommandContext, printLines } from '../command-context.ts';
import { serverLogger } from '../report/log-lines.ts';
import { untilSignal } from '../until-signal.ts';

export interface ServerInput {
  readonly host: string;
  readonly port: number;
  readonly allowRemote: boolean;
  /** Serves the schedules and queues, too (`start-all`). */
  readonly schedules?: boolean;
}

/**
 * Serves the API and the web UI until SIGINT or SIGTERM. The one line on stdout, with the URL, says
 * that it is ready. On the first signal it stops its runs in order, on the second it kills them.
 */
export async function runServer(
  context: CommandContext,
  { schedules = false, ...input }: ServerInput,
): Promise<number> {
  const host = await context.openHost('server');
  try {
    const { webRoot } = context;
    const server = await startServer({
      ...input,
      api: host.api,
      ...(existsSync(webRoot) ? { webRoot } : {}),
      version: context.version,
      logger: serverLogger(context),
      clock: context.clock,
    });
    host.monitorResources();
    const signalled = untilSignal(context, () => host.drivenRuns().forEach((run) => host.forceStop(run)));
    host.keepTakingOver();
    if (schedules) {
      host.processQueues();
      await host.startScheduling();
    }
    await printLines(context, [`Stepwright is ready at ${server.url}`]);
    await signalled;
    await server.close();
  } finally {
    await host.close('stop');
  }
  return exitCodes.success;
}
