import type { Clock } from '../../base/clock.ts';
import { failPoint } from '../../base/fail-point.ts';
import type { AcceptedRequest, KeptRequest, ReceivedStore, RefusedRequest } from './ports.ts';

type Request = AcceptedRequest | RefusedRequest;

interface Pending {
  readonly request: Request;
  resolve(kept: KeptRequest): void;
  reject(reason: unknown): void;
}

/**
 * Keeps the requests of one turn of the loop in one transaction: a durable commit costs the disk's time, whatever is in
 * it.
 */
export class SharedKeep {
  readonly #store: Pick<ReceivedStore, 'keep'>;
  readonly #clock: Pick<Clock, 'soon'>;
  #pending: Pending[] = [];

  constructor(parts: { readonly store: Pick<ReceivedStore, 'keep'>; readonly clock: Pick<Clock, 'soon'> }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
  }

  /** Resolves when the request is on disk. */
  keep(request: Request): Promise<KeptRequest> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ request, resolve, reject });
      if (this.#pending.length === 1) this.#clock.soon(() => this.#commit());
    });
  }

  #commit(): void {
    const pending = this.#pending;
    this.#pending = [];
    try {
      failPoint('webhook.before_keep');
      const kept = this.#store.keep(pending.map(({ request }) => request));
      failPoint('webhook.kept');
      pending.forEach(({ resolve }, index) => resolve(kept[index]!));
    } catch (thrown) {
      for (const { reject } of pending) reject(thrown);
    }
  }
}
