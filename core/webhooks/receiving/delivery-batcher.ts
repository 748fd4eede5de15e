import type { Clock } from '../../base/clock.ts';
import { failPoint } from '../../base/fail-point.ts';
import type { AcceptedRequest, StoredRequest, ReceivedStore, RefusedRequest } from './ports.ts';

type Request = AcceptedRequest | RefusedRequest;

interface Pending {
  readonly request: Request;
  resolve(stored: StoredRequest): void;
  reject(reason: unknown): void;
}

/** Maximum size of bodies per transaction: writing 25 MB takes a tenth of a second. */
const maxBytes = 4 * 1024 * 1024;

/**
 * Stores the requests of one event loop turn in one transaction, because each durable commit waits for the disk. Large
 * requests are spread over several turns.
 */
export class DeliveryBatcher {
  readonly #store: Pick<ReceivedStore, 'keep'>;
  readonly #clock: Pick<Clock, 'soon'>;
  readonly #pending: Pending[] = [];

  constructor(deps: { readonly store: Pick<ReceivedStore, 'keep'>; readonly clock: Pick<Clock, 'soon'> }) {
    this.#store = deps.store;
    this.#clock = deps.clock;
  }

  /** Resolves when the request is on disk. */
  keep(request: Request): Promise<StoredRequest> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ request, resolve, reject });
      if (this.#pending.length === 1) this.#clock.soon(() => this.#commit());
    });
  }

  #commit(): void {
    const pending = this.#takeBatch();
    if (this.#pending.length > 0) this.#clock.soon(() => this.#commit());
    try {
      failPoint('webhook.before_keep');
      const stored = this.#store.keep(pending.map(({ request }) => request));
      failPoint('webhook.kept');
      pending.forEach(({ resolve }, index) => resolve(stored[index]!));
    } catch (error) {
      for (const { reject } of pending) reject(error);
    }
  }

  #takeBatch(): Pending[] {
    let bytes = 0;
    const end = this.#pending.findIndex(({ request }) => (bytes += request.body?.length ?? 0) > maxBytes);
    return this.#pending.splice(0, end < 0 ? this.#pending.length : Math.max(end, 1));
  }
}
