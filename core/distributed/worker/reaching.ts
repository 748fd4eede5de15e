import type { Coordinators } from './client/coordinators.ts';
import { Refused } from './client/coordinators.ts';
import { Unreachable } from './client/exchange.ts';
import type { Membership } from './membership.ts';

/** Retries requests until a coordinator responds. */
export class Reaching {
  readonly #coordinators: Coordinators;
  readonly #membership: Membership;

  constructor(coordinators: Coordinators, membership: Membership) {
    this.#coordinators = coordinators;
    this.#membership = membership;
  }

  /**
   * Waits until the worker has joined and returns the result of `send`. Retries while no coordinator is reachable, and
   * rejoins if the epoch is outdated. Rejects with {@link Refused}, or with the signal's reason.
   */
  async persist<Answer>(ask: () => Promise<Answer>, signal?: AbortSignal): Promise<Answer> {
    await orAborted(this.#membership.joined, signal);
    for (;;) {
      signal?.throwIfAborted();
      const { epoch } = this.#membership;
      try {
        return await ask();
      } catch (error) {
        if (isOutdated(error)) await this.#membership.renew(epoch);
        else if (error instanceof Unreachable) await this.#coordinators.waitBeforeRetry(signal);
        else throw error;
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

/** Whether the credential or the epoch is no longer valid. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof Refused && (error.status === 401 || error.code === 'stale_owner');
