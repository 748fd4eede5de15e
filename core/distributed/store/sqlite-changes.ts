import type { Clock, Dispose } from '../../base/clock.ts';
import type { Database } from '../../store/database/database.ts';
import type { ChangeKind, TaskRow, TokenRow, WorkerRow, DispatchSettings } from './rows.ts';

/** Polling interval for commits of other connections while callers wait, in milliseconds. */
const pollIntervalMs = 25;

const kinds = ['offered', 'changed', 'cancelled'] as const satisfies readonly ChangeKind[];
type Counts = Readonly<Record<ChangeKind, number>>;

/** Notifies waiting callers by counters in the database, which every writer increments in its transaction. */
export class ChangeNotifier {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #listeners = new Set<(kind: ChangeKind) => void>();
  #stopPolling: Dispose | undefined;
  #version = -1;
  #lastCounts: Counts = { offered: 0, changed: 0, cancelled: 0 };

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Runs a write transaction, which reports changes through the callback. */
  write<Value>(operation: (at: number, notify: (kind: ChangeKind) => void) => Value): Value {
    const changedKinds = new Set<ChangeKind>();
    const value = this.#database.write(() => {
      const result = operation(this.#clock.now(), (kind) => changedKinds.add(kind));
      if (changedKinds.size > 0) this.#incrementCounters(changedKinds);
      return result;
    });
    if (changedKinds.size > 0) this.#notifyLocal([...changedKinds]);
    return value;
  }

  listen(listener: (kind: ChangeKind) => void): Dispose {
    const wrapper = (kind: ChangeKind): void => listener(kind);
    this.#listeners.add(wrapper);
    if (this.#stopPolling === undefined) {
      this.#lastCounts = this.#read();
      this.#version = this.#database.dataVersion();
      this.#stopPolling = this.#clock.every(pollIntervalMs, () => this.#poll());
    }
    return () => {
      this.#listeners.delete(wrapper);
      if (this.#listeners.size === 0) this.close();
    };
  }

  close(): void {
    this.#listeners.clear();
    this.#stopPolling?.();
    this.#stopPolling = undefined;
  }

  #incrementCounters(changedKinds: ReadonlySet<ChangeKind>): void {
    this.#database.run(
      'UPDATE dispatch_fact SET offered = offered + ?, changed = changed + ?, cancelled = cancelled + ?',
      ...kinds.map((kind) => Number(changedKinds.has(kind))),
    );
  }

  /** Notifies of own changes, which are not commits of another connection. */
  #notifyLocal(changedKinds: readonly ChangeKind[]): void {
    if (this.#listeners.size === 0) return;
    const { offered, changed, cancelled } = this.#lastCounts;
    const incrementCounters = (count: number, kind: ChangeKind): number =>
      count + Number(changedKinds.includes(kind));
    this.#lastCounts = {
      offered: incrementCounters(offered, 'offered'),
      changed: incrementCounters(changed, 'changed'),
      cancelled: incrementCounters(cancelled, 'cancelled'),
    };
    this.#clock.soon(() => this.#notify(changedKinds));
  }

  #poll(): void {
    const version = this.#database.dataVersion();
    if (version === this.#version) return;
    this.#version = version;
    const previous = this.#lastCounts;
    this.#lastCounts = this.#read();
    this.#notify(kinds.filter((kind) => this.#lastCounts[kind] !== previous[kind]));
  }

  #notify(changedKinds: readonly ChangeKind[]): void {
    for (const kind of changedKinds) for (const listener of [...this.#listeners]) listener(kind);
  }

  #read(): Counts {
    return this.#database.get<Counts>('SELECT offered, changed, cancelled FROM dispatch_fact')!;
  }
}

/** Dependencies of the operations. */
export interface SqliteContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly settings: DispatchSettings;
  readonly notifier: ChangeNotifier;
}

/** Labels are stored as JSON. */
type Stored<Row> = {
  readonly [Column in keyof Row]: Column extends 'selector' | 'labels' ? string : Row[Column];
};

export const readTaskRow = (row: Stored<TaskRow>): TaskRow => ({
  ...row,
  selector: JSON.parse(row.selector) as string[],
});

export const readLabelled = <Row extends { readonly labels: string }>(
  row: Row,
): Omit<Row, 'labels'> & { readonly labels: string[] } => ({
  ...row,
  labels: JSON.parse(row.labels) as string[],
});

export type StoredTask = Stored<TaskRow>;
export type StoredWorker = Stored<WorkerRow>;
export type StoredToken = Stored<TokenRow>;
