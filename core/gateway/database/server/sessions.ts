import type { Pool, PoolClient } from 'pg';
import type { Clock, Dispose } from '../../../base/clock.ts';
import { PreparedStatements } from '../prepared-statements.ts';
import { breakConnection } from './run-pipeline.ts';

/** `ref` and `unref` are there since pg 7, but not in its types. */
type Client = PoolClient & { ref(): void; unref(): void };

/** A connection of the pool, with what is known of it. */
export interface Session {
  readonly owner: Sessions;
  readonly client: Client;
  readonly prepared: PreparedStatements;
  /** Whether its transactions are of the usual isolation when nothing is said of that; found out by the first that is not. */
  isUsual: boolean;
  /** When its server is taken for dead, monotonic milliseconds; infinite while nothing is under way. */
  deadAt: number;
  /** Whether it was taken since they were last looked at. */
  wasTaken: boolean;
}

/** How often it is looked at them while one is used. */
const lookMs = 1000;

/**
 * The connections of a pool. Those that have just been used are kept at hand for who comes next, and go back to the pool after
 * a second or two without use: the pool sets two timers and a turn of the loop for each use, which is as much work as to send a statement.
 */
export class Sessions {
  readonly #pool: Pool;
  readonly #clock: Clock;
  readonly #preparesStatements: boolean;
  readonly #all = new Map<PoolClient, Session>();
  /** Not in use; for the pool they are. The last one was used last. */
  #atHand: Session[] = [];
  #stopLooking: Dispose | undefined;
  #isClosed = false;

  constructor(pool: Pool, clock: Clock, { preparesStatements }: { readonly preparesStatements: boolean }) {
    this.#pool = pool;
    this.#clock = clock;
    this.#preparesStatements = preparesStatements;
    // One that breaks while it is in use has its statement reject; without a listener the process would end.
    pool.on('connect', (client) => client.on('error', () => this.#drop(client)));
    pool.on('remove', (client) => this.#all.delete(client));
  }

  /** How many there are, in use or not. */
  get count(): number {
    return this.#pool.totalCount;
  }

  /** Rejects as the pool does when none is free for too long, or none can be made. */
  async take(): Promise<Session> {
    const session = this.#atHand.pop();
    if (session === undefined) return this.#sessionOf((await this.#pool.connect()) as Client);
    session.client.ref();
    return session;
  }

  /** Ends the connection when the session is not given back within so many milliseconds. */
  guard(session: Session, ms: number): void {
    session.deadAt = this.#clock.monotonic() + ms;
    this.#stopLooking ??= this.#clock.every(lookMs, () => this.#look());
  }

  /** @param isUsable false when nobody may use it any more */
  giveBack(session: Session, isUsable: boolean): void {
    const { client } = session;
    session.deadAt = Number.POSITIVE_INFINITY;
    if (!isUsable || this.#isClosed || this.#pool.waitingCount > 0) return client.release(!isUsable);
    session.wasTaken = true;
    // It alone is no reason for the process to go on.
    client.unref();
    this.#atHand.push(session);
    this.#stopLooking ??= this.#clock.every(lookMs, () => this.#look());
  }

  /** Ends those that are free at once, the others when they are given back. */
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

  /** One at hand has broken. */
  #drop(client: PoolClient): void {
    const at = this.#atHand.findIndex((session) => session.client === client);
    if (at < 0) return;
    this.#atHand.splice(at, 1);
    client.release(true);
  }
}
