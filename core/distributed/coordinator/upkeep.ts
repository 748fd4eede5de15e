import type { Clock, Dispose } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { DispatchStore } from '../ports.ts';

export interface UpkeepParts {
  readonly store: DispatchStore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Of this coordinator, for people. */
  readonly card: {
    readonly id: string;
    readonly url: string;
    readonly version: string;
    readonly host: string;
    readonly pid: number;
  };
  /** Workers that wait at it. */
  workers(): number;
}

const reapMs = 1000;
const beatMs = 5000;

/** What a coordinator does by itself: takes work from workers that are gone, each second, and tells that it lives. */
export class Upkeep {
  readonly #parts: UpkeepParts;
  readonly #end: readonly Dispose[];
  #underWay: Promise<void> = Promise.resolve();
  #isBusy = false;
  /** What went wrong last; told once. */
  #trouble = '';

  constructor(parts: UpkeepParts) {
    this.#parts = parts;
    const { clock } = parts;
    this.#end = [
      clock.every(reapMs, () => this.#do(() => this.#reap())),
      clock.every(beatMs, () => this.#do(() => this.beat())),
    ];
  }

  /** A sign of life in the database. */
  async beat(): Promise<void> {
    const { store, card, workers } = this.#parts;
    await store.beatCoordinator({ ...card, workers: workers() });
  }

  /** Ends, and takes the coordinator off the list. */
  async close(): Promise<void> {
    for (const end of this.#end) end();
    await this.#underWay;
    const { store, card, logger } = this.#parts;
    await store.leaveCoordinator(card.id).catch((thrown: unknown) => {
      logger.warn(`the coordinator stays on the list for a while: ${messageOf(thrown)}`);
    });
  }

  async #reap(): Promise<void> {
    const { store, logger } = this.#parts;
    const { lost, returned } = await store.reap();
    if (lost > 0) logger.warn(`${lost} tasks are lost: their workers gave no sign of life`);
    if (returned > 0) logger.info(`${returned} tasks went back to be handed out anew`);
  }

  /** One at a time; what is slow is not asked for twice. */
  #do(work: () => Promise<void>): void {
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.#underWay = this.#watch(work);
  }

  async #watch(work: () => Promise<void>): Promise<void> {
    const { logger } = this.#parts;
    try {
      await work();
      if (this.#trouble !== '') logger.info('the database answers again');
      this.#trouble = '';
    } catch (thrown) {
      const trouble = messageOf(thrown);
      if (trouble !== this.#trouble) logger.warn(`the upkeep waits: ${trouble}`);
      this.#trouble = trouble;
    } finally {
      this.#isBusy = false;
    }
  }
}
