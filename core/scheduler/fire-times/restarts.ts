import type { Clock } from '../../base/clock.ts';
import { type AppError, toAppError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { RunRef } from '../../model/run/run.ts';
import type { FireTimeRef } from '../../model/run/fire-time.ts';
import type { PendingRestart, ScheduleStore } from '../ports.ts';

interface RestartDeps {
  readonly store: ScheduleStore;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
  /** Waits for the end of a run that was asked to stop and for `restartWaitSec`. */
  readonly waitForEnd: (run: RunRef) => Promise<void>;
  /** Creates and drives the new run, together with the slot's row. */
  readonly repeat: (run: RunRef, fireTime: FireTimeRef) => Promise<unknown>;
}

/** The second half of scheduled restarts. The next process completes the restarts of one that died. */
export class Restarts {
  readonly #deps: RestartDeps;
  readonly #started = new Set<string>();
  #isClosed = false;

  constructor(deps: RestartDeps) {
    this.#deps = deps;
  }

  /** Completes pending restarts; call this when this process becomes the active one. */
  resume(): void {
    for (const pending of this.#deps.store.listRestarts()) this.finish(pending);
  }

  /** Starts the run again when it has ended. */
  finish(pending: PendingRestart): void {
    const key = `${pending.fireTime.dag}@${pending.fireTime.at}`;
    if (this.#started.has(key)) return;
    this.#started.add(key);
    void this.#finish(pending)
      .catch((error: unknown) => this.#fail(pending, toAppError(error)))
      .finally(() => this.#started.delete(key));
  }

  close(): void {
    this.#isClosed = true;
  }

  async #finish({ fireTime, run }: PendingRestart): Promise<void> {
    await this.#deps.waitForEnd(run);
    if (!this.#isClosed) await this.#deps.repeat(run, fireTime);
  }

  #fail({ fireTime }: PendingRestart, { code, message }: AppError): void {
    if (this.#isClosed || code === 'stale_owner') return;
    this.#deps.logger.warn('A scheduled restart failed', { dag: fireTime.dag, message });
    try {
      this.#deps.store.rejectRestart(fireTime, message, this.#deps.clock.now());
    } catch (error) {
      this.#deps.logger.error('Cannot record a scheduled restart', { message: String(error) });
    }
  }
}
