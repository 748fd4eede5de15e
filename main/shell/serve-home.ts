import type { Logger } from '../../core/base/logger.ts';
import type { EngineHost } from '../../core/index.ts';

/** The app stays, so it does what a home needs somebody for. */
export function serveHome(engine: EngineHost, logger: Logger): void {
  engine.monitorResources();
  engine.keepTakingOver();
  engine.processQueues();
  engine
    .startScheduling()
    .catch((thrown: unknown) => logger.error('Schedules are not served', { message: String(thrown) }));
  engine
    .sendWebhooks()
    .catch((thrown: unknown) => logger.error('Webhooks are not sent', { message: String(thrown) }));
}

/** Runs may start others before they end, so the list is looked at again. */
export async function waitForRuns(engine: EngineHost): Promise<void> {
  for (let runs = engine.drivenRuns(); runs.length > 0; runs = engine.drivenRuns()) {
    await Promise.all(runs.map((run) => engine.waitForEnd(run)));
  }
}
