import type { Clock } from '../../base/clock.ts';
import { getErrorMessage } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { CoalescedTask } from '../../base/turns.ts';
import type { AuditEntry, AuditFilter, AuditPage, AuditStore } from '../../store/types/audit.ts';
import type { OperationName } from '../../contract/operations.ts';
import type { Caller } from '../engine-api.ts';
import type { OperationRule } from '../operation-rules.ts';
import { formatTarget } from './format-target.ts';

/**
 * Audit log. Entries of an event loop turn are written in one transaction. A write error is reported, and does not
 * undo the audited operation.
 */
export class AuditLog {
  readonly #store: AuditStore;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #pending: AuditEntry[] = [];
  readonly #writing: CoalescedTask;

  constructor(store: AuditStore, clock: Clock, logger: Logger) {
    this.#store = store;
    this.#clock = clock;
    this.#logger = logger;
    this.#writing = new CoalescedTask(clock, () => this.#write());
  }

  /** Adds an entry with the current time. */
  add(entry: Omit<AuditEntry, 'at'>): void {
    this.#pending.push({ ...entry, at: this.#clock.now() });
    this.#writing.requestSoon();
  }

  /** Lists entries, newest first, including all added so far. */
  async list(filter: AuditFilter): Promise<AuditPage> {
    await this.flush();
    return this.#store.list(filter);
  }

  async count(): Promise<number> {
    await this.flush();
    return this.#store.count();
  }

  /** Writes pending entries, after those that are being written; never rejects. */
  flush(): Promise<void> {
    return this.#writing.request();
  }

  async #write(): Promise<void> {
    const entries = this.#pending;
    this.#pending = [];
    if (entries.length === 0) return;
    try {
      await this.#store.add(entries);
    } catch (error) {
      const what = entries
        .map(({ actor, operation, target }) => `${actor}: ${operation} ${target}`)
        .join('; ');
      this.#logger.error(`Cannot write the audit log (${getErrorMessage(error)}). Missing entry: ${what}`);
    }
  }
}

/** Refusals that anyone can cause in any number; recording them would displace important entries. */
const unkept: ReadonlySet<string> = new Set(['too_many_requests']);

/** A call of an operation that has ended. */
export interface AuditedCall {
  readonly name: OperationName;
  readonly rule: Pick<OperationRule, 'audit'>;
  readonly input: unknown;
  readonly output?: unknown;
  readonly caller: Caller;
  /** `done` or an error code. */
  readonly outcome: string;
}

/** Records a call: user, channel, operation and result. Does nothing for operations that are not audited. */
export function recordCall(
  trail: Pick<AuditLog, 'add'>,
  { name, rule: { audit }, input, output, caller, outcome }: AuditedCall,
): void {
  if (audit === undefined || unkept.has(outcome)) return;
  const target = formatTarget(audit, input, output);
  trail.add({
    // The caller had no name before the login.
    actor: audit === 'login' && outcome === 'done' ? target : caller.name,
    via: caller.via,
    ...(caller.address !== undefined && { address: caller.address }),
    operation: name,
    target,
    outcome,
  });
}
