import pg, { type Pool, type PoolClient, type Client } from 'pg';
import { AppError, getErrorMessage } from '../../base/errors.ts';
import { readConnectionUrl, splitHosts } from '../../store/sql/connection-settings.ts';
import { readPostgresUrl, type PostgresLocation } from '../../store/postgres/open-postgres.ts';
import type { Clock, Dispose } from '../../base/clock.ts';
import type { ChangeKind, DispatchSettings } from './rows.ts';

/** A statement that each session prepares once, identified by name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Sends statements of one transaction in order. */
export type Send = <Row extends object>(
  statement: Statement,
  ...values: readonly unknown[]
) => Promise<Row[]>;

/** Connection limits. */
export interface ConnectionLimits {
  /** Maximum number of connections, in addition to the listening one. */
  readonly poolSize: number;
  /** Timeout for opening a connection and for getting one from the pool, in milliseconds. */
  readonly connectTimeoutMs: number;
  /** Statement timeout, in milliseconds. */
  readonly statementTimeoutMs: number;
}

export const connectionDefaults: ConnectionLimits = {
  poolSize: 10,
  connectTimeoutMs: 5000,
  statementTimeoutMs: 15_000,
};

/** Additional time after the server's statement timeout, for a server that does not respond, in milliseconds. */
const graceMs = 2000;
const idleMs = 30_000;
/** Maximum attempts of a conflicting transaction. */
const attempts = 5;
/** Deadlocks and serialization conflicts, which a retry resolves. */
const transient = new Set(['40P01', '40001']);

/** OID of `bigint`, which is returned as a string by default; all our times, counts and keys are below 2^53. */
const bigintType = 20;
const types: pg.CustomTypesConfig = {
  getTypeParser: (id: number, format?: string) =>
    id === bigintType ? Number : (pg.types.getTypeParser(id, format as 'text') as unknown),
};

/**
 * A server database with a connection pool for each of its hosts, of which one is used: the primary. Rejects with
 * `unavailable` if none is reachable.
 */
export class Connection {
  /** Location without credentials, for display. */
  readonly serverName: string;
  readonly #server: PostgresLocation;
  readonly #limits: ConnectionLimits;
  /** Connections to a pooler, such as PgBouncer. */
  readonly #pooled = new WeakSet<object>();
  /** The one that has accepted the last connection is the first. */
  readonly #hosts: { readonly url: string; readonly pool: Pool }[];

  /** Throws `home_unusable` for an invalid URL. */
  constructor(url: string, limits: ConnectionLimits) {
    this.#server = readPostgresUrl(url);
    this.#limits = limits;
    this.serverName = this.#server.name;
    this.#hosts = splitHosts(this.#server.url).map((host) => ({ url: host, pool: this.#openPool(host) }));
  }

  #openPool(url: string): Pool {
    const pool = new pg.Pool({
      ...this.#settings(url),
      max: this.#limits.poolSize,
      idleTimeoutMillis: idleMs,
      allowExitOnIdle: true,
      // oxlint-disable-next-line typescript/no-misused-promises -- it waits, but its type does not say so
      onConnect: (client) => this.#setUp(client as Client),
    });
    // Broken idle connections are replaced at the next use.
    pool.on('error', ignore);
    // A connection may break between two statements, or emit several errors: the next statement fails.
    pool.on('connect', (client) => client.on('error', ignore));
    return pool;
  }

  /** Runs a single statement, which is its own transaction. */
  query: Send = async <Row extends object>(statement: Statement, ...values: readonly unknown[]) =>
    this.#withClient(async (client) =>
      this.#pooled.has(client)
        ? this.#runTransaction(client, (send) => send<Row>(statement, ...values))
        : createSender(client)<Row>(statement, ...values),
    );

  /** Runs several statements atomically. */
  transact<Result>(operation: (send: Send) => Promise<Result>): Promise<Result> {
    return this.#withClient((client) => this.#runTransaction(client, operation), rollBack);
  }

  async #runTransaction<Result>(
    client: PoolClient,
    operation: (send: Send) => Promise<Result>,
  ): Promise<Result> {
    const isPooled = this.#pooled.has(client);
    await client.query(isPooled ? `BEGIN; ${this.#setUpText('SET LOCAL')}` : 'BEGIN');
    const result = await operation(createSender(client, !isPooled));
    await client.query('COMMIT');
    return result;
  }

  /** @param recover returns whether the connection can be used after an error of the server */
  #withClient<Result>(
    operation: (client: PoolClient) => Promise<Result>,
    recover: (client: PoolClient) => Promise<boolean> = (client) =>
      this.#pooled.has(client) ? rollBack(client) : Promise.resolve(true),
  ): Promise<Result> {
    return this.#attempt(async () => {
      const client = await this.#onFirstHost(({ pool }) => pool.connect());
      let isUsable = false;
      try {
        const result = await operation(client);
        isUsable = true;
        return result;
      } catch (error) {
        isUsable = isServerError(error) && !isAway(error.code) && (await recover(client));
        throw error;
      } finally {
        client.release(!isUsable);
      }
    });
  }

  /**
   * Opens a dedicated connection for notices; the caller closes it.
   * @returns undefined if it leads to a pooler, which delivers none
   */
  openClient(): Promise<pg.Client | undefined> {
    return this.#onFirstHost(async ({ url }) => {
      const client = new pg.Client(this.#settings(url));
      client.on('error', ignore);
      await client.connect();
      try {
        await this.#setUp(client);
      } catch (error) {
        await client.end();
        throw error;
      }
      if (!this.#pooled.has(client)) return client;
      await client.end();
      return undefined;
    });
  }

  /** Rejects if the server is a standby of others. */
  async #setUp(client: Client | PoolClient): Promise<void> {
    const { rows } = await client.query<{ standby: boolean; pid: number }>(
      'SELECT pg_is_in_recovery() AS standby, pg_backend_pid() AS pid',
    );
    const { standby, pid } = rows[0]!;
    if (standby && this.#hosts.length > 1) throw new Error('the server is a read-only standby');
    // A pooler has numbers of its own. Each transaction may have another session of the server.
    if ((client as unknown as { readonly processID: number }).processID !== pid) this.#pooled.add(client);
    else await client.query(this.#setUpText('SET'));
  }

  /**
   * Statistics of a queue are usually outdated: without bitmap scans, the order comes from the index instead of sorting
   * the whole table.
   */
  #setUpText(set: 'SET' | 'SET LOCAL'): string {
    const { schema } = this.#server;
    return `${set} search_path TO ${schema}; ${set} enable_bitmapscan = off; ${set} statement_timeout = ${this.#limits.statementTimeoutMs}`;
  }

  async close(): Promise<void> {
    await Promise.all(this.#hosts.map(({ pool }) => pool.end()));
  }

  /** Connects to the hosts in turn. */
  async #onFirstHost<Result>(
    connect: (host: { readonly url: string; readonly pool: Pool }) => Promise<Result>,
  ): Promise<Result> {
    const failures: unknown[] = [];
    for (const host of [...this.#hosts]) {
      try {
        const result = await connect(host);
        this.#hosts.unshift(...this.#hosts.splice(this.#hosts.indexOf(host), 1));
        return result;
      } catch (error) {
        failures.push(error);
      }
    }
    throw failures.length === 1 ? failures[0] : new AggregateError(failures);
  }

  async #attempt<Result>(operation: () => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await operation();
      } catch (error) {
        if (attempt < attempts && isServerError(error) && transient.has(error.code)) continue;
        throw toConnectionError(error, this.serverName);
      }
    }
  }

  #settings(url: string): pg.ClientConfig {
    const { connectTimeoutMs, statementTimeoutMs } = this.#limits;
    return {
      ...readConnectionUrl(url),
      application_name: 'stepwright-dispatch',
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: statementTimeoutMs + graceMs,
      keepAlive: true,
      types,
    };
  }
}

const ignore = (): void => undefined;

const createSender =
  (client: PoolClient, prepares = true): Send =>
  async <Row extends object>({ name, text }: Statement, ...values: readonly unknown[]) =>
    (await client.query<Row>({ ...(prepares && { name }), text, values: [...values] })).rows;

async function rollBack(client: PoolClient): Promise<boolean> {
  try {
    await client.query('ROLLBACK');
    return true;
  } catch {
    return false;
  }
}

/** Whether the error came from the server. */
const isServerError = (error: unknown): error is Error & { readonly code: string } =>
  error instanceof Error && 'severity' in error && 'code' in error && typeof error.code === 'string';

/**
 * Whether the code means that the server is unavailable: connection lost, server starting, stopping or out of
 * connections, statement timeout, read-only standby.
 */
const isAway = (code: string): boolean => /^(08|57|53[^1]|25006)/.test(code);

/** Converts driver errors to application errors; SQL errors stay unexpected. */
function toConnectionError(error: unknown, serverName: string): unknown {
  if (error instanceof AppError) return error;
  const detail =
    error instanceof AggregateError ? error.errors.map(getErrorMessage).join('; ') : getErrorMessage(error);
  const toDispatchError = (code: 'unavailable' | 'storage_full', text: string): AppError =>
    new AppError(code, text, { details: { database: serverName }, cause: error });
  if (!isServerError(error) || isAway(error.code))
    return toDispatchError(
      'unavailable',
      `Cannot reach the database ${serverName} (${detail}). Retrying; check the server if this persists.`,
    );
  if (error.code === '53100')
    return toDispatchError(
      'storage_full',
      `Cannot write to the database ${serverName} (${detail}). Free some space on its disk.`,
    );
  return error;
}

/** The database's clock at transaction start, in epoch milliseconds. */
export const now = `(extract(epoch FROM now()) * 1000)::bigint`;

/** NOTIFY channel of all waiting callers. */
const channel = 'stepwright_dispatch';

/**
 * Returns an SQL expression that notifies at commit; use it as a column of a result that has a row if something
 * changed. Evaluated once for all rows.
 */
export const notify = (kind: ChangeKind): string => `(SELECT pg_notify('${channel}', '${kind}'))`;

/** Returns a claimed task with a higher fencing token. */
export const requeue = `state = 'ready', fence = fence + 1, worker_id = NULL, worker_epoch = NULL, claimed_at = NULL`;

/** Tasks that a worker holds. The index is chosen by this exact condition. */
export const held = `state IN ('claimed', 'running')`;

/** Dependencies of the operations. */
export interface PostgresContext {
  readonly connection: Connection;
  readonly settings: DispatchSettings;
}

const firstPauseMs = 250;
const maxPauseMs = 5000;
const pollMs = 1000;
const kinds: readonly string[] = ['offered', 'changed', 'cancelled'] satisfies ChangeKind[];

/** Notifies waiting callers: a connection that receives NOTIFY and reconnects when lost. */
export class NotificationListener {
  readonly #connection: Connection;
  readonly #clock: Clock;
  readonly #listeners = new Set<(kind: ChangeKind) => void>();
  #client: Client | undefined;
  #isOpening = false;
  #stopWaiting: Dispose | undefined;

  constructor(connection: Connection, clock: Clock) {
    this.#connection = connection;
    this.#clock = clock;
  }

  listen(listener: (kind: ChangeKind) => void): Dispose {
    const wrapper = (kind: ChangeKind): void => listener(kind);
    this.#listeners.add(wrapper);
    this.#open(firstPauseMs);
    return () => {
      this.#listeners.delete(wrapper);
      if (this.#listeners.size === 0) void this.close();
    };
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    this.#stopWaiting?.();
    this.#stopWaiting = undefined;
    const client = this.#client;
    this.#client = undefined;
    await client?.end();
  }

  /** @param pauseMs delay before the next attempt if this one fails */
  #open(pauseMs: number): void {
    if (this.#client !== undefined || this.#isOpening || this.#stopWaiting !== undefined) return;
    this.#isOpening = true;
    this.#connect().then(
      () => {
        this.#isOpening = false;
        // Notifications during the disconnection were missed.
        for (const kind of kinds) this.#notify(kind);
      },
      () => {
        this.#isOpening = false;
        this.#reconnectLater(pauseMs);
      },
    );
  }

  #reconnectLater(pauseMs: number): void {
    if (this.#listeners.size === 0 || this.#stopWaiting !== undefined) return;
    // Unlike `after`, this timer does not keep the process alive.
    const stop = this.#clock.every(pauseMs, () => {
      stop();
      this.#stopWaiting = undefined;
      this.#open(Math.min(pauseMs * 2, maxPauseMs));
    });
    this.#stopWaiting = stop;
  }

  async #connect(): Promise<void> {
    const client = await this.#connection.openClient();
    if (client === undefined) return this.#poll();
    client.on('error', () => this.#onLost(client));
    client.on('end', () => this.#onLost(client));
    client.on('notification', ({ payload }) => this.#notify(payload ?? ''));
    await client.query(`LISTEN ${channel}`);
    if (this.#listeners.size === 0) await client.end();
    else this.#client = client;
  }

  /** Notifies of everything every second, because the database cannot. */
  #poll(): void {
    if (this.#listeners.size === 0) return;
    this.#stopWaiting = this.#clock.every(pollMs, () => {
      for (const kind of kinds) this.#notify(kind);
    });
  }

  #onLost(client: Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    this.#reconnectLater(firstPauseMs);
  }

  #notify(kind: string): void {
    if (!kinds.includes(kind)) return;
    for (const listener of [...this.#listeners]) listener(kind as ChangeKind);
  }
}
