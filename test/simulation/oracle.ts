import type { CompletionOutcome, TaskState, WorkerRef } from '../../core/store/types/dispatch.ts';
import type { Database } from '../../core/store/database/database.ts';
import type { FakeClock } from '../harness/fakes.ts';

/** Operations that change tasks. */
export type Operation =
  | 'offer'
  | 'claim'
  | 'release'
  | 'begin'
  | 'settle'
  | 'reap'
  | 'register'
  | 'leave'
  | 'cancel'
  | 'abandon'
  | 'forget'
  | 'beat'
  | 'heartbeatCoordinator'
  | 'look';

/** A task as the oracle reads it from the database. */
interface Seen {
  readonly key: string;
  readonly state: TaskState;
  readonly fence: number;
  readonly worker_id: string | null;
  readonly worker_epoch: number | null;
  readonly result: string | null;
}

/** Allowed transitions of a task, by which operation, and by how much its fence rises. */
const allowedTransitions: Readonly<
  Record<string, { readonly by: readonly Operation[]; readonly raise: number }>
> = {
  'ready>claimed': { by: ['claim'], raise: 1 },
  'claimed>ready': { by: ['release', 'reap', 'register', 'leave'], raise: 1 },
  'claimed>running': { by: ['begin'], raise: 0 },
  'running>settled': { by: ['settle'], raise: 0 },
  'running>lost': { by: ['reap', 'register', 'leave', 'abandon'], raise: 1 },
  'ready>cancelled': { by: ['cancel'], raise: 1 },
  'claimed>cancelled': { by: ['cancel'], raise: 1 },
};
const ended: ReadonlySet<TaskState> = new Set(['settled', 'lost', 'cancelled']);

/** Checks the database after every operation, with its own model of the allowed transitions. */
export class Oracle {
  readonly #database: Database;
  readonly #clock: FakeClock;
  readonly #leaseMs: number;
  readonly #leases = new Map<string, number>();
  readonly #fencingTokens = new Map<string, number>();
  readonly #coordinators = new Map<string, number>();
  readonly #started = new Map<string, string>();
  #tasks = new Map<string, Seen>();
  #pausedUntil = 0;
  #settled = 0;
  /** Tasks forgotten by their hosts. */
  #forgotten = 0;
  #stale = 0;

  constructor(database: Database, clock: FakeClock, leaseMs: number) {
    this.#database = database;
    this.#clock = clock;
    this.#leaseMs = leaseMs;
  }

  /** Performs an operation on the store, and checks its effect on the tasks. */
  async watch<Value>(operation: Operation, act: () => Promise<Value>): Promise<Value> {
    const value = await act();
    this.#compare(operation);
    return value;
  }

  /** A worker has registered again. */
  recordLife(life: WorkerRef): void {
    if (life.epoch <= (this.#fencingTokens.get(life.id) ?? 0))
      throw new Error(`${life.id} lives again as ${life.epoch}`);
    this.#fencingTokens.set(life.id, life.epoch);
    this.recordLease(life);
  }

  /** A worker's lease is renewed, according to the database's response. */
  recordLease({ id, epoch }: WorkerRef): void {
    this.#leases.set(`${id} ${epoch}`, this.#clock.now() + this.#leaseMs);
  }

  /** A heartbeat of a coordinator: the first one after none was alive delays reaping. */
  recordCoordinator(id: string): void {
    const now = this.#clock.now();
    const isAnyAlive = [...this.#coordinators.values()].some((at) => at > now - this.#leaseMs / 2);
    if (!isAnyAlive) this.#pausedUntil = now + this.#leaseMs;
    this.#coordinators.set(id, now);
  }

  /** The result of a settle, before the response is sent. */
  recordOutcomes(outcomes: readonly CompletionOutcome[]): void {
    this.#stale += outcomes.filter((outcome) => outcome === 'stale').length;
    this.#settled += outcomes.filter((outcome) => outcome === 'settled').length;
  }

  /** A worker starts the command of a task. */
  recordStart(key: string, by: string): void {
    const before = this.#started.get(key);
    if (before !== undefined) throw new Error(`${key} was begun by ${before}, and again by ${by}`);
    this.#started.set(key, by);
  }

  /** A host records the end of a task. */
  checkEnd(key: string, state: TaskState, result: string | undefined): void {
    const by = this.#started.get(key);
    if (state === 'cancelled' && by !== undefined) throw new Error(`${key} is cancelled, but ${by} began it`);
    if (state === 'settled' && result !== `${key} by ${by}`)
      throw new Error(`${key} has the result "${result}", but ${by} began it`);
  }

  /** At the end of a world. */
  checkCounts(staleRefused: number): void {
    if (staleRefused !== this.#stale)
      throw new Error(`${this.#stale} results were refused, ${staleRefused} are counted`);
  }

  #compare(operation: Operation): void {
    const rows = this.#database.all<Seen & { readonly key: string }>(
      'SELECT key, state, fence, worker_id, worker_epoch, result FROM task',
    );
    const after = new Map(rows.map((row) => [row.key, row]));
    for (const [key, row] of after) this.#judge(operation, this.#tasks.get(key), row);
    for (const [key, row] of this.#tasks) {
      if (after.has(key)) continue;
      if (operation !== 'forget' || !ended.has(row.state))
        throw new Error(`${operation} removed ${key}, ${row.state}`);
      if (row.state === 'settled') this.#forgotten += 1;
    }
    this.#tasks = after;
    const written = this.#forgotten + rows.filter(({ state }) => state === 'settled').length;
    if (written !== this.#settled)
      throw new Error(`${operation}: ${this.#settled} results acknowledged, ${written} written`);
  }

  #judge(operation: Operation, before: Seen | undefined, after: Seen): void {
    const say = (what: string): Error =>
      new Error(`${operation} ${what}: ${JSON.stringify(before)} became ${JSON.stringify(after)}`);
    if (before === undefined) {
      if (operation !== 'offer' || after.state !== 'ready' || after.fence !== 0) throw say('made a task');
      return;
    }
    if (before.state === after.state) {
      const isKept =
        operation === 'register' && after.state === 'running' && before.worker_id === after.worker_id;
      const isSame = before.worker_epoch === after.worker_epoch || isKept;
      if (before.fence !== after.fence || before.result !== after.result || !isSame)
        throw say('changed a task');
      return;
    }
    const way = allowedTransitions[`${before.state}>${after.state}`];
    if (way === undefined || !way.by.includes(operation)) throw say('may not do this');
    if (after.fence !== before.fence + way.raise) throw say('gave a wrong fence');
    if (operation === 'reap' && after.state === 'lost') this.#checkLoss(before, say);
  }

  /** A task is never taken from a worker during its lease, nor while reaping is delayed. */
  #checkLoss(before: Seen, say: (what: string) => Error): void {
    const now = this.#clock.now();
    const until = this.#leases.get(`${before.worker_id} ${before.worker_epoch}`);
    if (until === undefined || until > now) throw say(`took a task ${(until ?? now) - now} ms too early`);
    if (now < this.#pausedUntil) throw say('took a task while reaping was put off');
  }
}
