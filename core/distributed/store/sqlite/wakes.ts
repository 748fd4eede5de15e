import type { Clock, Dispose } from '../../../base/clock.ts';
import type { Database } from '../../../store/database/database.ts';
import type { WakeKind } from '../rows.ts';

/** Polling interval for commits of other connections while callers wait, in milliseconds. */
const pollIntervalMs = 25;

const kinds = ['offered', 'changed', 'cancelled'] as const satisfies readonly WakeKind[];
type Counts = Readonly<Record<WakeKind, number>>;

/** Notifies waiting callers by counters in the database, which every writer increments in its transaction. */
export class Wakes {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #listeners = new Set<(kind: WakeKind) => void>();
  #stopLooking: Dispose | undefined;
  #version = -1;
  #seen: Counts = { offered: 0, changed: 0, cancelled: 0 };

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Runs a write transaction, which reports changes through the callback. */
  write<Value>(operation: (at: number, notify: (kind: WakeKind) => void) => Value): Value {
    const told = new Set<WakeKind>();
    const value = this.#database.write(() => {
      const result = operation(this.#clock.now(), (kind) => told.add(kind));
      if (told.size > 0) this.#raise(told);
      return result;
    });
    if (told.size > 0) this.#notifyLocal([...told]);
    return value;
  }

  listen(listener: (kind: WakeKind) => void): Dispose {
    const own = (kind: WakeKind): void => listener(kind);
    this.#listeners.add(own);
    if (this.#stopLooking === undefined) {
      this.#seen = this.#read();
      this.#version = this.#database.dataVersion();
      this.#stopLooking = this.#clock.every(pollIntervalMs, () => this.#look());
    }
    return () => {
      this.#listeners.delete(own);
      if (this.#listeners.size === 0) this.close();
    };
  }

  close(): void {
    this.#listeners.clear();
    this.#stopLooking?.();
    this.#stopLooking = undefined;
  }

  #raise(told: ReadonlySet<WakeKind>): void {
    this.#database.run(
      'UPDATE dispatch_fact SET offered = offered + ?, changed = changed + ?, cancelled = cancelled + ?',
      ...kinds.map((kind) => Number(told.has(kind))),
    );
  }

  /** Notifies of own changes, which are not commits of another connection. */
  #notifyLocal(told: readonly WakeKind[]): void {
    if (this.#listeners.size === 0) return;
    const { offered, changed, cancelled } = this.#seen;
    const raise = (count: number, kind: WakeKind): number => count + Number(told.includes(kind));
    this.#seen = {
      offered: raise(offered, 'offered'),
      changed: raise(changed, 'changed'),
      cancelled: raise(cancelled, 'cancelled'),
    };
    this.#clock.soon(() => this.#notify(told));
  }

  #look(): void {
    const version = this.#database.dataVersion();
    if (version === this.#version) return;
    this.#version = version;
    const before = this.#seen;
    this.#seen = this.#read();
    this.#notify(kinds.filter((kind) => this.#seen[kind] !== before[kind]));
  }

  #notify(told: readonly WakeKind[]): void {
    for (const kind of told) for (const listener of [...this.#listeners]) listener(kind);
  }

  #read(): Counts {
    return this.#database.get<Counts>('SELECT offered, changed, cancelled FROM dispatch_fact')!;
  }
}
