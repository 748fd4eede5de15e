import type { Clock, Dispose } from '../../base/clock.ts';
import { getErrorMessage } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { DispatchStore } from '../../store/types/dispatch.ts';

const reapMs = 500;
const beatMs = 5000;

/** Background work of a coordinator: twice a second, reclaims tasks of lost workers and sends a heartbeat. */
export class CoordinatorMaintenance {
  readonly #store: DispatchStore;
  readonly #logger: Logger;
  /** Description of this coordinator, for display. */
  readonly #registration: {
    readonly id: string;
    readonly url: string;
    readonly version: string;
    readonly host: string;
    readonly pid: number;
  };
  /** Number of waiting workers. */
  readonly #workers: () => number;
  readonly #periodicTasks: readonly PeriodicTask[];

  constructor(
    store: DispatchStore,
    clock: Clock,
    logger: Logger,
    registration: {
      readonly id: string;
      readonly url: string;
      readonly version: string;
      readonly host: string;
      readonly pid: number;
    },
    workers: () => number,
  ) {
    this.#store = store;
    this.#logger = logger;
    this.#registration = registration;
    this.#workers = workers;
    this.#periodicTasks = [
      new PeriodicTask(clock, logger, reapMs, () => this.#reap()),
      // Separate, so that slow reclaiming does not delay the heartbeat.
      new PeriodicTask(clock, logger, beatMs, () => this.beat()),
    ];
  }

  /** Sends a heartbeat to the database. */
  async beat(): Promise<void> {
    await this.#store.heartbeatCoordinator({ ...this.#registration, workers: this.#workers() });
  }

  /** Stops, and removes the coordinator from the list. */
  async close(): Promise<void> {
    await Promise.all(this.#periodicTasks.map((periodicTask) => periodicTask.end()));
    await this.#store.leaveCoordinator(this.#registration.id).catch((error: unknown) => {
      this.#logger.warn(`cannot unregister the coordinator: ${getErrorMessage(error)}`);
    });
  }

  async #reap(): Promise<void> {
    const { lost, returned } = await this.#store.reap();
    if (lost > 0) this.#logger.warn(`${lost} tasks were lost because their workers stopped responding`);
    if (returned > 0) this.#logger.info(`${returned} tasks were requeued`);
  }
}

/** A periodic action that never runs concurrently. Only new errors are logged. */
class PeriodicTask {
  readonly #stop: Dispose;
  #inProgress: Promise<void> | undefined;
  #problem = '';

  constructor(clock: Clock, logger: Logger, everyMs: number, task: () => Promise<void>) {
    this.#stop = clock.every(everyMs, () => {
      this.#inProgress ??= this.#do(task, logger);
    });
  }

  /** Waits for the current run. */
  async end(): Promise<void> {
    this.#stop();
    await this.#inProgress;
  }

  async #do(task: () => Promise<void>, logger: Logger): Promise<void> {
    try {
      await task();
      if (this.#problem !== '') logger.info('the database is available again');
      this.#problem = '';
    } catch (error) {
      const problem = getErrorMessage(error);
      if (problem !== this.#problem) logger.warn(`maintenance is delayed: ${problem}`);
      this.#problem = problem;
    } finally {
      this.#inProgress = undefined;
    }
  }
}
