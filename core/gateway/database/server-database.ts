import pg, { type Client, type Pool } from 'pg';
import type { Clock, Dispose } from '../../base/clock.ts';
import { getErrorMessage } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import {
  DatabaseError,
  DatabaseUnavailable,
  type DatabaseStatus,
  type GatewayDatabase,
  type StatementResult,
  type Transaction,
} from '../../store/sql/database.ts';
import { needsReprepare, runStatements } from './prepared-statements.ts';
import { ChannelListener, Sessions, type Session } from './sessions.ts';
import { hidePassword, readConnectionUrl } from '../../store/sql/connection-settings.ts';
import { toConnectError, toDatabaseError, destroyConnection, runPipeline, send } from './run-pipeline.ts';

/** Settings of a server database. */
export interface ServerSettings {
  readonly url: string;
  readonly poolSize: number;
  readonly poolTimeoutMs: number;
  readonly statementTimeoutMs: number;
  readonly preparesStatements: boolean;
}

/** Interval between cancel requests for a statement that is still running. */
const cancelAgainMs = 500;
/** Time after a statement timeout at which the server counts as dead. */
const graceMs = 5000;
const idleMs = 30_000;
/** PostgreSQL version number: 13. */
const minVersion = 130_000;

/** A PostgreSQL server with a connection pool. */
export class ServerDatabase implements GatewayDatabase {
  readonly #settings: ServerSettings;
  readonly #clock: Clock;
  readonly #displayUrl: string;
  readonly #listener: ChannelListener;
  #sessions: Sessions | undefined;
  #version: string | undefined;
  #failure: string | undefined;
  #isClosed = false;

  constructor(settings: ServerSettings, clock: Clock, logger: Logger) {
    this.#settings = settings;
    this.#clock = clock;
    this.#displayUrl = hidePassword(settings.url);
    this.#listener = new ChannelListener(() => this.#connectOutsidePool(), clock, logger);
  }

  async transact(transaction: Transaction): Promise<readonly StatementResult[]> {
    try {
      return await this.#attempt(transaction);
    } catch (error) {
      // A pooled connection may have been lost unnoticed; read-only transactions can be retried. If the connection had
      // discarded a prepared statement, nothing was executed.
      if (needsReprepare(error) || (transaction.isReadOnly && isConnectionLost(error)))
        return await this.#attempt(transaction);
      throw error;
    }
  }

  async runScript(sql: string, signal?: AbortSignal): Promise<readonly StatementResult[]> {
    const client = await this.#connectOutsidePool();
    const abort = this.#cancelWith(client, signal);
    try {
      return await runStatements(sql, async (statement) => {
        if (isAborted(signal)) throw cancelledError();
        try {
          return await send(client, statement);
        } catch (error) {
          throw toDatabaseError(error);
        }
      });
    } finally {
      abort();
      await client.end();
    }
  }

  async listen(
    channel: string,
    onNotice: (payload: string | undefined) => void,
  ): Promise<() => Promise<void>> {
    try {
      return await this.#listener.listen(channel, onNotice);
    } catch (error) {
      throw toDatabaseError(error);
    }
  }

  status(): DatabaseStatus {
    const open = this.#version === undefined ? 'closed' : 'open';
    return {
      kind: 'server',
      state: this.#failure === undefined ? (this.#isClosed ? 'closed' : open) : 'failed',
      version: this.#version,
      place: this.#displayUrl,
      failure: this.#failure,
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#listener.close();
    const sessions = this.#sessions;
    this.#sessions = undefined;
    await sessions?.close();
  }

  async #attempt(transaction: Transaction): Promise<readonly StatementResult[]> {
    const session = await this.#connect();
    const { client, owner } = session;
    const { signal } = transaction;
    if (isAborted(signal)) {
      owner.release(session, true);
      throw cancelledError();
    }
    const timeoutMs = transaction.timeoutMs ?? this.#settings.statementTimeoutMs;
    const guardMs = timeoutMs * (transaction.statements.length + 1) + graceMs;
    if (timeoutMs > 0) owner.closeUnlessReturned(session, guardMs);
    const abort = this.#cancelWith(client, signal);
    let isUsable = false;
    try {
      const results = await runPipeline(session, transaction, timeoutMs);
      isUsable = true;
      return results;
    } catch (error) {
      isUsable = !(error instanceof DatabaseUnavailable) && client.getTransactionStatus() === 'I';
      throw error;
    } finally {
      abort();
      // A pending cancel request could hit the next statement.
      owner.release(session, isUsable && !isAborted(signal));
    }
  }

  /**
   * Cancels the running statement when the signal aborts.
   * @returns a function that stops waiting for the signal
   */
  #cancelWith(client: Client, signal: AbortSignal | undefined): Dispose {
    let stopRepeating: Dispose | undefined;
    const cancel = (): void => {
      this.#cancel(client).catch(() => destroyConnection(client));
    };
    const begin = (): void => {
      cancel();
      // On a busy machine, a cancel request may arrive before the statement starts, and is then ignored.
      stopRepeating = this.#clock.every(cancelAgainMs, cancel);
    };
    if (signal?.aborted === true) begin();
    signal?.addEventListener('abort', begin, { once: true });
    return () => {
      signal?.removeEventListener('abort', begin);
      stopRepeating?.();
    };
  }

  async #cancel(client: Client): Promise<void> {
    const { processID } = client as unknown as { readonly processID: number };
    const other = await this.#connectOutsidePool();
    try {
      await other.query('SELECT pg_cancel_backend($1)', [processID]);
    } finally {
      await other.end();
    }
  }

  async #connect(): Promise<Session> {
    if (this.#isClosed) throw new DatabaseUnavailable('The gateway is closed.', 'closed');
    try {
      this.#sessions ??= new Sessions(this.#openPool(), this.#clock, this.#settings);
      const session = await this.#await(this.#sessions);
      this.#failure = undefined;
      return session;
    } catch (error) {
      const failure = toConnectError(error, this.#displayUrl);
      if (!(failure instanceof DatabaseUnavailable && failure.reason === 'busy'))
        this.#failure = failure.message;
      throw failure;
    }
  }

  async #await(sessions: Sessions): Promise<Session> {
    let session: Session;
    try {
      session = await sessions.take();
    } catch (error) {
      const isFull = sessions.count >= this.#settings.poolSize;
      if (isFull && getErrorMessage(error).startsWith('timeout exceeded'))
        throw poolExhaustedError(this.#settings);
      throw error;
    }
    try {
      if (this.#version === undefined) await this.#check(session.client);
      return session;
    } catch (error) {
      sessions.release(session, false);
      throw error;
    }
  }

  #openPool(): Pool {
    const pool = new pg.Pool({
      ...readConnectionUrl(this.#settings.url),
      keepAlive: true,
      max: this.#settings.poolSize,
      connectionTimeoutMillis: this.#settings.poolTimeoutMs,
      idleTimeoutMillis: idleMs,
      allowExitOnIdle: true,
    });
    // Broken idle connections are replaced at the next use.
    pool.on('error', () => undefined);
    return pool;
  }

  /** Opens a connection outside the pool, whose session settings affect no other request. */
  async #connectOutsidePool(): Promise<Client> {
    if (this.#isClosed) throw new DatabaseUnavailable('The gateway is closed.', 'closed');
    const { poolTimeoutMs, url } = this.#settings;
    const client = new pg.Client({
      ...readConnectionUrl(url),
      keepAlive: true,
      connectionTimeoutMillis: poolTimeoutMs,
    });
    // Pending statements reject. Without a listener the process would exit.
    client.on('error', () => undefined);
    try {
      await client.connect();
      await this.#check(client);
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      throw toConnectError(error, this.#displayUrl);
    }
  }

  async #check(client: Client): Promise<void> {
    const { rows } = await client.query<string[]>({
      text: `SELECT current_setting('server_version'), current_setting('server_version_num')`,
      rowMode: 'array',
    });
    const [version = '', number = '0'] = rows[0] ?? [];
    if (Number(number) < minVersion)
      throw new DatabaseUnavailable(
        `The gateway requires PostgreSQL 13 or later, but ${this.#displayUrl} is version ${version}. Upgrade it, or remove gateway.databaseUrl to use the embedded database.`,
        'unreachable',
      );
    // Debian and others append their package version.
    this.#version = version.split(' ')[0];
  }
}

/** Function call that prevents TypeScript from narrowing the value. */
const isAborted = (signal: AbortSignal | undefined): boolean => signal?.aborted === true;

const cancelledError = (): DatabaseError =>
  new DatabaseError('canceling statement due to user request', { code: '57014' });

const isConnectionLost = (error: unknown): boolean =>
  (error instanceof DatabaseUnavailable && error.reason === 'lost') ||
  (error instanceof DatabaseError && error.code === '57P01');

const poolExhaustedError = ({ poolSize, poolTimeoutMs }: ServerSettings): DatabaseUnavailable =>
  new DatabaseUnavailable(
    `All ${poolSize} database connections were busy for ${poolTimeoutMs / 1000} s. Try again later, or raise gateway.poolSize.`,
    'busy',
  );
