import type { Pool, PoolClient, Client } from 'pg';
import type { Clock, Dispose } from '../../base/clock.ts';
import { getErrorMessage } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { PreparedStatements } from './prepared-statements.ts';
import { destroyConnection } from './run-pipeline.ts';

/** pg has `ref` and `unref` since version 7, but its types do not. */
type SessionClient = PoolClient & { ref(): void; unref(): void };

/** A pooled connection with its state. */
export interface Session {
  readonly owner: Sessions;
  readonly client: SessionClient;
  readonly prepared: PreparedStatements;
  /** Whether the default isolation level is READ COMMITTED; assumed until a transaction reports otherwise. */
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
  #idleSessions: Session[] = [];
  #stopChecks: Dispose | undefined;
  #isClosed = false;

  constructor(pool: Pool, clock: Clock, { preparesStatements }: { readonly preparesStatements: boolean }) {
    this.#pool = pool;
    this.#clock = clock;
    this.#preparesStatements = preparesStatements;
    // A statement on a broken connection rejects. Without a listener the process would exit.
    pool.on('connect', (client) => client.on('error', () => this.#removeBroken(client)));
    pool.on('remove', (client) => this.#all.delete(client));
  }

  /** Number of connections, idle or in use. */
  get count(): number {
    return this.#pool.totalCount;
  }

  /** Returns a session. Rejects like the pool if none is free before the timeout or a connection fails. */
  async take(): Promise<Session> {
    const session = this.#idleSessions.pop();
    if (session === undefined) return this.#getSession((await this.#pool.connect()) as SessionClient);
    session.client.ref();
    return session;
  }

  /** Closes the connection unless the session is returned within the specified time. */
  closeUnlessReturned(session: Session, ms: number): void {
    session.deadAt = this.#clock.monotonic() + ms;
    this.#stopChecks ??= this.#clock.every(pollIntervalMs, () => this.#checkIdle());
  }

  /** @param isUsable false if the connection must be closed */
  release(session: Session, isUsable: boolean): void {
    const { client } = session;
    session.deadAt = Number.POSITIVE_INFINITY;
    if (!isUsable || this.#isClosed || this.#pool.waitingCount > 0) return client.release(!isUsable);
    session.wasTaken = true;
    // An idle connection does not keep the process alive.
    client.unref();
    this.#idleSessions.push(session);
    this.#stopChecks ??= this.#clock.every(pollIntervalMs, () => this.#checkIdle());
  }

  /** Closes idle connections now and the others when they are returned. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopChecks?.();
    for (const { client } of this.#idleSessions) client.release();
    this.#idleSessions = [];
    await this.#pool.end();
  }

  #getSession(client: SessionClient): Session {
    const known = this.#all.get(client);
    if (known !== undefined) return known;
    const session = {
      owner: this,
      client,
      prepared: new PreparedStatements({ isPersistent: this.#preparesStatements }),
      isUsual: true,
      deadAt: Number.POSITIVE_INFINITY,
      wasTaken: true,
    };
    this.#all.set(client, session);
    return session;
  }

  #checkIdle(): void {
    const now = this.#clock.monotonic();
    const all = [...this.#all.values()];
    for (const { client, deadAt } of all) if (deadAt <= now) destroyConnection(client);
    const resting = this.#idleSessions.filter(({ wasTaken }) => !wasTaken);
    this.#idleSessions = this.#idleSessions.filter(({ wasTaken }) => wasTaken);
    for (const { client } of resting) client.release();
    for (const session of this.#idleSessions) session.wasTaken = false;
    const isBusy =
      this.#idleSessions.length > 0 || all.some(({ deadAt }) => deadAt < Number.POSITIVE_INFINITY);
    if (isBusy) return;
    this.#stopChecks?.();
    this.#stopChecks = undefined;
  }

  /** Removes a broken idle connection. */
  #removeBroken(client: PoolClient): void {
    const at = this.#idleSessions.findIndex((session) => session.client === client);
    if (at < 0) return;
    this.#idleSessions.splice(at, 1);
    client.release(true);
  }
}

type NoticeListener = (payload: string | undefined) => void;

const firstPauseMs = 500;
const maxPauseMs = 30_000;

/** A connection that receives NOTIFY and reconnects when lost. */
export class ChannelListener {
  readonly #connect: () => Promise<Client>;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #listeners = new Map<string, Set<NoticeListener>>();
  #client: Promise<Client> | undefined;
  #stopWaiting: Dispose | undefined;
  #isClosed = false;

  /** @param connect opens a dedicated connection outside the pool */
  constructor(connect: () => Promise<Client>, clock: Clock, logger: Logger) {
    this.#connect = connect;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Implements `GatewayDatabase.listen`. Rejects if the first connection fails. */
  async listen(channel: string, onNotice: NoticeListener): Promise<() => Promise<void>> {
    const client = await (this.#client ??= this.#open());
    await client.query(`LISTEN ${quote(channel)}`);
    const listeners = this.#listeners.get(channel) ?? new Set();
    listeners.add(onNotice);
    this.#listeners.set(channel, listeners);
    return async () => {
      listeners.delete(onNotice);
      if (listeners.size > 0 || !this.#listeners.delete(channel)) return;
      if (this.#listeners.size === 0) await this.#disconnect();
      else await (await this.#client)?.query(`UNLISTEN ${quote(channel)}`);
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#listeners.clear();
    await this.#disconnect();
  }

  async #disconnect(): Promise<void> {
    this.#stopWaiting?.();
    const client = this.#client;
    this.#client = undefined;
    await client?.then(
      (open) => open.end(),
      () => undefined,
    );
  }

  async #open(): Promise<Client> {
    try {
      const client = await this.#connect();
      const onConnectionLost = (): void => this.#onLost(client);
      client.on('error', onConnectionLost);
      client.on('end', onConnectionLost);
      client.on('notification', ({ channel, payload }) => this.#notify(channel, payload ?? ''));
      for (const channel of this.#listeners.keys()) await client.query(`LISTEN ${quote(channel)}`);
      return client;
    } catch (error) {
      this.#client = undefined;
      throw error;
    }
  }

  #onLost(client: Client): void {
    client.removeAllListeners('end');
    if (this.#isClosed || this.#client === undefined || this.#listeners.size === 0) return;
    this.#client = undefined;
    this.#logger.warn('Lost the connection for database notifications, reconnecting');
    this.#reopen(firstPauseMs);
  }

  #reopen(pauseMs: number): void {
    this.#stopWaiting?.();
    // Unlike `after`, this timer does not keep the process alive.
    const stop = this.#clock.every(pauseMs, () => {
      stop();
      if (this.#isClosed || this.#client !== undefined) return;
      this.#client = this.#open();
      this.#client.then(
        () => {
          for (const channel of this.#listeners.keys()) this.#notify(channel, undefined);
        },
        (error: unknown) => {
          this.#logger.warn(`Cannot connect for database notifications, retrying: ${getErrorMessage(error)}`);
          this.#reopen(Math.min(pauseMs * 2, maxPauseMs));
        },
      );
    });
    this.#stopWaiting = stop;
  }

  #notify(channel: string, payload: string | undefined): void {
    for (const onNotice of this.#listeners.get(channel) ?? []) onNotice(payload);
  }
}

const quote = (channel: string): string => `"${channel.replaceAll('"', '""')}"`;
