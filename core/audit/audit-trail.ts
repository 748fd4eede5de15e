import type { Clock } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import type { AuditEntry } from '../model/audit.ts';
import type { AuditFilter, AuditPage, AuditStore } from './ports.ts';

/**
 * The record of who did what. Entries of one turn of the loop are written in one transaction. What cannot be written
 * is reported and does not undo what it tells of.
 */
export class AuditTrail {
  readonly #store: AuditStore;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #pending: AuditEntry[] = [];

  constructor(parts: { readonly store: AuditStore; readonly clock: Clock; readonly logger: Logger }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#logger = parts.logger;
  }

  /** Keeps an entry of this moment. */
  add(entry: Omit<AuditEntry, 'at'>): void {
    this.#pending.push({ ...entry, at: this.#clock.now() });
    if (this.#pending.length === 1) this.#clock.soon(() => this.flush());
  }

  /** Newest first, with everything that was added before. */
  list(filter: AuditFilter): AuditPage {
    this.flush();
    return this.#store.list(filter);
  }

  count(): number {
    this.flush();
    return this.#store.count();
  }

  /** Writes what is not written yet; never throws. */
  flush(): void {
    const entries = this.#pending;
    this.#pending = [];
    if (entries.length === 0) return;
    try {
      this.#store.add(entries);
    } catch (thrown) {
      const what = entries
        .map(({ actor, operation, target }) => `${actor}: ${operation} ${target}`)
        .join('; ');
      this.#logger.error(`Cannot write the audit log (${messageOf(thrown)}). Missing entry: ${what}`);
    }
  }
}
