import { type Coordinators, CoordinatorError, UnreachableError } from './coordinators.ts';
import type { Membership } from './membership.ts';

/** Retries requests until a coordinator responds. */
export class RequestRetrier {
  readonly #coordinators: Coordinators;
  readonly #membership: Membership;

  constructor(coordinators: Coordinators, membership: Membership) {
    this.#coordinators = coordinators;
    this.#membership = membership;
  }

  /**
   * Waits until the worker has joined and returns the result of `send`. Retries while no coordinator is reachable, and
   * rejoins if the epoch is outdated. Rejects with {@link CoordinatorError}, or with the signal's reason.
   */
  async retry<Result>(send: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    await raceAbort(this.#membership.joined, signal);
    for (;;) {
      signal?.throwIfAborted();
      const { epoch } = this.#membership;
      try {
        return await send();
      } catch (error) {
        if (mustRejoin(error)) await this.#membership.renew(epoch);
        else if (error instanceof UnreachableError) await this.#coordinators.waitBeforeRetry(signal);
        else throw error;
      }
    }
  }
}

function raceAbort(promise: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const end = (): void => reject(signal.reason as Error);
    if (signal.aborted) return end();
    signal.addEventListener('abort', end, { once: true });
    void promise.then(() => {
      signal.removeEventListener('abort', end);
      resolve();
    });
  });
}

/** Whether the credential or the epoch is no longer valid. */
export const mustRejoin = (error: unknown): boolean =>
  error instanceof CoordinatorError && (error.status === 401 || error.code === 'stale_owner');
