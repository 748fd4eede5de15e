import type { Clock } from '../../base/clock.ts';
import { getErrorMessage } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { AuditEntry } from '../../model/audit.ts';
import type { AuditFilter, AuditPage, AuditStore } from '../../store/types/audit.ts';

/**
 * Audit log. Entries of an event loop turn are written in one transaction. A write error is reported, and does not
 * undo the audited operation.
 */
export class AuditLog {
  readonly #store: AuditStore;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #pending: AuditEntry[] = [];

  constructor(deps: { readonly store: AuditStore; readonly clock: Clock; readonly logger: Logger }) {
    this.#store = deps.store;
    this.#clock = deps.clock;
    this.#logger = deps.logger;
  }

  /** Adds an entry with the current time. */
  add(entry: Omit<AuditEntry, 'at'>): void {
    this.#pending.push({ ...entry, at: this.#clock.now() });
    if (this.#pending.length === 1) this.#clock.soon(() => this.flush());
  }

  /** Lists entries, newest first, including all added so far. */
  list(filter: AuditFilter): AuditPage {
    this.flush();
    return this.#store.list(filter);
  }

  count(): number {
    this.flush();
    return this.#store.count();
  }

  /** Writes pending entries; never throws. */
  flush(): void {
    const entries = this.#pending;
    this.#pending = [];
    if (entries.length === 0) return;
    try {
      this.#store.add(entries);
    } catch (error) {
      const what = entries
        .map(({ actor, operation, target }) => `${actor}: ${operation} ${target}`)
        .join('; ');
      this.#logger.error(`Cannot write the audit log (${getErrorMessage(error)}). Missing entry: ${what}`);
    }
  }
}
