import type { Logger } from '../../core/base/logger.ts';
import type { EngineHost } from '../../core/index.ts';

/** What a home needs somebody for, done by the app as long as it stays: schedules, queues, webhooks, runs without a host. */
export class HomeServing {
  readonly #engine: EngineHost;
  readonly #logger: Logger;
  #state: 'before' | 'serving' | 'resting' | 'over' = 'before';

  constructor(engine: EngineHost, logger: Logger) {
    this.#engine = engine;
    this.#logger = logger;
  }

  /** Begins, unless it was decided otherwise before it came to that. */
  begin(): void {
    if (this.#state === 'before') this.#serve();
  }

  /** Has the engine start nothing by itself any more. */
  async standDown(): Promise<void> {
    if (this.#state !== 'over') this.#state = 'resting';
    await this.#engine.standDown();
  }

  /** Begins again after {@link standDown}. */
  goOn(): void {
    if (this.#state === 'resting') this.#serve();
  }

  /** The engine is about to be closed. */
  end(): void {
    this.#state = 'over';
  }

  #serve(): void {
    const engine = this.#engine;
    this.#state = 'serving';
    engine.monitorResources();
    engine.keepTakingOver();
    engine.processQueues();
    engine.startScheduling().catch((thrown: unknown) => this.#report('Scheduler failed to start', thrown));
    engine
      .sendWebhooks()
      .catch((thrown: unknown) => this.#report('Webhook delivery failed to start', thrown));
  }

  #report(what: string, thrown: unknown): void {
    this.#logger.error(what, { message: String(thrown) });
  }
}

/** Runs may start others before they end, so the list is looked at again. */
export async function waitForRuns(engine: EngineHost): Promise<void> {
  for (let runs = engine.drivenRuns(); runs.length > 0; runs = engine.drivenRuns()) {
    await Promise.all(runs.map((run) => engine.waitForEnd(run)));
  }
}
