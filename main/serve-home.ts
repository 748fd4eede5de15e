import type { Logger } from '../core/base/logger.ts';
import type { Engine } from '../core/index.ts';

/**
 * Background work for the home directory while the app runs: schedules, queues, webhooks, and runs without a
 * host.
 */
export class BackgroundServices {
  readonly #engine: Engine;
  readonly #logger: Logger;
  #state: 'before' | 'serving' | 'resting' | 'over' = 'before';

  constructor(engine: Engine, logger: Logger) {
    this.#engine = engine;
    this.#logger = logger;
  }

  /** Starts, unless {@link pauseServices} was called before. */
  begin(): void {
    if (this.#state === 'before') this.#serve();
  }

  /** Stops all automatic starts of the engine. */
  async pauseServices(): Promise<void> {
    if (this.#state !== 'over') this.#state = 'resting';
    await this.#engine.pauseServices();
  }

  /** Starts again after {@link pauseServices}. */
  resume(): void {
    if (this.#state === 'resting') this.#serve();
  }

  /** Stops before the engine is closed. */
  end(): void {
    this.#state = 'over';
  }

  #serve(): void {
    const engine = this.#engine;
    this.#state = 'serving';
    engine.monitorResources();
    engine.startRecoveryLoop();
    engine.processQueues();
    engine.startScheduling().catch((error: unknown) => this.#report('Scheduler failed to start', error));
    engine.sendWebhooks().catch((error: unknown) => this.#report('Webhook delivery failed to start', error));
  }

  #report(what: string, error: unknown): void {
    this.#logger.error(what, { message: String(error) });
  }
}

/** Waits until no run is active. Runs may start others before they end, so the list is read repeatedly. */
export async function waitForRuns(engine: Engine): Promise<void> {
  for (let runs = engine.activeExecutions(); runs.length > 0; runs = engine.activeExecutions()) {
    await Promise.all(runs.map((run) => engine.waitForEnd(run)));
  }
}
