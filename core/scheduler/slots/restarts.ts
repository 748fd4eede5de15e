import type { Clock } from '../../base/clock.ts';
import { type AppError, toAppError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { RunRef } from '../../model/run/run.ts';
import type { SlotRef } from '../../model/run/slot.ts';
import type { PendingRestart, ScheduleStore } from '../ports.ts';

interface RestartParts {
  readonly store: ScheduleStore;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
  /** Waits for the end of a run that was asked to stop and for `restartWaitSec`. */
  readonly waitForEnd: (run: RunRef) => Promise<void>;
  /** Creates and drives the new run, together with the slot's row. */
  readonly repeat: (run: RunRef, slot: SlotRef) => Promise<unknown>;
}

/** The second half of scheduled restarts. The next process completes the restarts of one that died. */
export class Restarts {
  readonly #parts: RestartParts;
  readonly #begun = new Set<string>();
  #isClosed = false;

  constructor(parts: RestartParts) {
    this.#parts = parts;
  }

  /** Completes pending restarts; call this when this process becomes the active one. */
  resume(): void {
    for (const pending of this.#parts.store.listRestarts()) this.finish(pending);
  }

  /** Starts the run again when it has ended. */
  finish(pending: PendingRestart): void {
    const key = `${pending.slot.dag}@${pending.slot.at}`;
    if (this.#begun.has(key)) return;
    this.#begun.add(key);
    void this.#finish(pending)
      .catch((thrown: unknown) => this.#fail(pending, toAppError(thrown)))
      .finally(() => this.#begun.delete(key));
  }

  close(): void {
    this.#isClosed = true;
  }

  async #finish({ slot, run }: PendingRestart): Promise<void> {
    await this.#parts.waitForEnd(run);
    if (!this.#isClosed) await this.#parts.repeat(run, slot);
  }

  #fail({ slot }: PendingRestart, { code, message }: AppError): void {
    if (this.#isClosed || code === 'stale_owner') return;
    this.#parts.logger.warn('A scheduled restart failed', { dag: slot.dag, message });
    try {
      this.#parts.store.refuseRestart(slot, message, this.#parts.clock.now());
    } catch (thrown) {
      this.#parts.logger.error('Cannot record a scheduled restart', { message: String(thrown) });
    }
  }
}
