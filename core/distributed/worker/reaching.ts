import type { Coordinators } from './client/coordinators.ts';
import { Refused } from './client/coordinators.ts';
import { Unreachable } from './client/exchange.ts';
import type { Membership } from './membership.ts';

/** Asks coordinators again and again, until one has answered. */
export class Reaching {
  readonly #coordinators: Coordinators;
  readonly #membership: Membership;

  constructor(coordinators: Coordinators, membership: Membership) {
    this.#coordinators = coordinators;
    this.#membership = membership;
  }

  /**
   * Waits until the worker has joined. What `ask` resolves with, however long nobody can be reached; joins anew when this life of the worker is over.
   * Rejects with {@link Refused}, or with the signal's reason.
   */
  async persist<Answer>(ask: () => Promise<Answer>, signal?: AbortSignal): Promise<Answer> {
    await orAborted(this.#membership.joined, signal);
    for (;;) {
      signal?.throwIfAborted();
      const { epoch } = this.#membership;
      try {
        return await ask();
      } catch (thrown) {
        if (isOutdated(thrown)) await this.#membership.renew(epoch);
        else if (thrown instanceof Unreachable) await this.#coordinators.waitBeforeRetry(signal);
        else throw thrown;
      }
    }
  }
}

function orAborted(waited: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return waited;
  return new Promise((resolve, reject) => {
    const end = (): void => reject(signal.reason as Error);
    if (signal.aborted) return end();
    signal.addEventListener('abort', end, { once: true });
    void waited.then(() => {
      signal.removeEventListener('abort', end);
      resolve();
    });
  });
}

/** The credential is not good any more, or the epoch is over. */
export const isOutdated = (thrown: unknown): boolean =>
  thrown instanceof Refused && (thrown.status === 401 || thrown.code === 'stale_owner');
