import type { Pool, PoolClient } from 'pg';
import type { Clock, Dispose } from '../../../base/clock.ts';
import { PreparedStatements } from '../prepared-statements.ts';
import { breakConnection } from './run-pipeline.ts';

/** pg has `ref` and `unref` since version 7, but its types do not. */
type Client = PoolClient & { ref(): void; unref(): void };

/** A pooled connection with its state. */
export interface Session {
  readonly owner: Sessions;
  readonly client: Client;
  readonly prepared: PreparedStatements;
  /** Whether the default isolation level is READ COMMITTED; assumed until a transaction shows otherwise. */
  isUsual: boolean;
  /** Time at which the server counts as dead, in monotonic milliseconds; infinite while idle. */
  deadAt: number;
  /** Whether the session was used since the last check. */
  wasTaken: boolean;
}

/** Interval of checks while sessions are in use. */
const pollIntervalMs = 1000;

/**
 * Connections of a pool. Recently used connections are reused directly, and return to the pool after one to two
 * seconds without use. The pool sets two timers and waits a turn of the event loop for each use, which costs as much
 * as sending a statement.
 */
export class Sessions {
  readonly #pool: Pool;
  readonly #clock: Clock;
  readonly #preparesStatements: boolean;
  readonly #all = new Map<PoolClient, Session>();
  /** Idle sessions that the pool counts as in use. The last one was used last. */
  #atHand: Session[] = [];
  #stopLooking: Dispose | undefined;
  #isClosed = false;

  constructor(pool: Pool, clock: Clock, { preparesStatements }: { readonly preparesStatements: boolean }) {
    this.#pool = pool;
    this.#clock = clock;
    this.#preparesStatements = preparesStatements;
    // A statement on a broken connection rejects. Without a listener the process would exit.
    pool.on('connect', (client) => client.on('error', () => this.#drop(client)));
    pool.on('remove', (client) => this.#all.delete(client));
  }

  /** Number of connections, idle or in use. */
  get count(): number {
    return this.#pool.totalCount;
  }

  /** Returns a session. Rejects like the pool if none is free before the timeout or a connection fails. */
  async take(): Promise<Session> {
    const session = this.#atHand.pop();
    if (session === undefined) return this.#sessionOf((await this.#pool.connect()) as Client);
    session.client.ref();
    return session;
  }

  /** Closes the connection unless the session is returned within the specified time. */
  guard(session: Session, ms: number): void {
    session.deadAt = this.#clock.monotonic() + ms;
    this.#stopLooking ??= this.#clock.every(pollIntervalMs, () => this.#look());
  }

  /** @param isUsable false if the connection must be closed */
  giveBack(session: Session, isUsable: boolean): void {
    const { client } = session;
    session.deadAt = Number.POSITIVE_INFINITY;
    if (!isUsable || this.#isClosed || this.#pool.waitingCount > 0) return client.release(!isUsable);
    session.wasTaken = true;
    // An idle connection does not keep the process alive.
    client.unref();
    this.#atHand.push(session);
    this.#stopLooking ??= this.#clock.every(pollIntervalMs, () => this.#look());
  }

  /** Closes idle connections now and the others when they are returned. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopLooking?.();
    for (const { client } of this.#atHand) client.release();
    this.#atHand = [];
    await this.#pool.end();
  }

  #sessionOf(client: Client): Session {
    const known = this.#all.get(client);
    if (known !== undefined) return known;
    const session = {
      owner: this,
      client,
      prepared: new PreparedStatements({ isKept: this.#preparesStatements }),
      isUsual: true,
      deadAt: Number.POSITIVE_INFINITY,
      wasTaken: true,
    };
    this.#all.set(client, session);
    return session;
  }

  #look(): void {
    const now = this.#clock.monotonic();
    const all = [...this.#all.values()];
    for (const { client, deadAt } of all) if (deadAt <= now) breakConnection(client);
    const resting = this.#atHand.filter(({ wasTaken }) => !wasTaken);
    this.#atHand = this.#atHand.filter(({ wasTaken }) => wasTaken);
    for (const { client } of resting) client.release();
    for (const session of this.#atHand) session.wasTaken = false;
    const isBusy = this.#atHand.length > 0 || all.some(({ deadAt }) => deadAt < Number.POSITIVE_INFINITY);
    if (isBusy) return;
    this.#stopLooking?.();
    this.#stopLooking = undefined;
  }

  /** Removes a broken idle connection. */
  #drop(client: PoolClient): void {
    const at = this.#atHand.findIndex((session) => session.client === client);
    if (at < 0) return;
    this.#atHand.splice(at, 1);
    client.release(true);
  }
}
