import type { Clock, Dispose } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { DispatchStore } from '../ports.ts';

export interface UpkeepParts {
  readonly store: DispatchStore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Description of this coordinator, for display. */
  readonly card: {
    readonly id: string;
    readonly url: string;
    readonly version: string;
    readonly host: string;
    readonly pid: number;
  };
  /** Number of waiting workers. */
  workers(): number;
}

const reapMs = 500;
const beatMs = 5000;

/** Background work of a coordinator: twice a second, reclaims tasks of lost workers and sends a heartbeat. */
export class Upkeep {
  readonly #parts: UpkeepParts;
  readonly #duties: readonly Duty[];

  constructor(parts: UpkeepParts) {
    this.#parts = parts;
    this.#duties = [
      new Duty(parts, reapMs, () => this.#reap()),
      // Separate, so that slow reclaiming does not delay the heartbeat.
      new Duty(parts, beatMs, () => this.beat()),
    ];
  }

  /** Sends a heartbeat to the database. */
  async beat(): Promise<void> {
    const { store, card, workers } = this.#parts;
    await store.beatCoordinator({ ...card, workers: workers() });
  }

  /** Stops, and removes the coordinator from the list. */
  async close(): Promise<void> {
    await Promise.all(this.#duties.map((duty) => duty.end()));
    const { store, card, logger } = this.#parts;
    await store.leaveCoordinator(card.id).catch((thrown: unknown) => {
      logger.warn(`the coordinator stays listed for a while: ${messageOf(thrown)}`);
    });
  }

  async #reap(): Promise<void> {
    const { store, logger } = this.#parts;
    const { lost, returned } = await store.reap();
    if (lost > 0) logger.warn(`${lost} tasks were lost because their workers stopped responding`);
    if (returned > 0) logger.info(`${returned} tasks were queued again`);
  }
}

/** A periodic action that never runs concurrently. Only new errors are logged. */
class Duty {
  readonly #stop: Dispose;
  #underWay: Promise<void> | undefined;
  #trouble = '';

  constructor(
    { clock, logger }: Pick<UpkeepParts, 'clock' | 'logger'>,
    everyMs: number,
    work: () => Promise<void>,
  ) {
    this.#stop = clock.every(everyMs, () => {
      this.#underWay ??= this.#do(work, logger);
    });
  }

  /** Waits for the current run. */
  async end(): Promise<void> {
    this.#stop();
    await this.#underWay;
  }

  async #do(work: () => Promise<void>, logger: Logger): Promise<void> {
    try {
      await work();
      if (this.#trouble !== '') logger.info('the database is available again');
      this.#trouble = '';
    } catch (thrown) {
      const trouble = messageOf(thrown);
      if (trouble !== this.#trouble) logger.warn(`maintenance is waiting: ${trouble}`);
      this.#trouble = trouble;
    } finally {
      this.#underWay = undefined;
    }
  }
}
