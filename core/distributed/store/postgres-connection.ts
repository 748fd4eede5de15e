import pg, { type Pool, type PoolClient, type Client } from 'pg';
import { AppError, getErrorMessage } from '../../base/errors.ts';
import { readConnectionUrl } from '../../store/sql/connection-settings.ts';
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

/** A server database with a connection pool. Rejects with `unavailable` if it is unreachable. */
export class Connection {
  /** Location without credentials, for display. */
  readonly serverName: string;
  readonly #server: PostgresLocation;
  readonly #limits: ConnectionLimits;
  readonly #pool: Pool;

  /** Throws `home_unusable` for an invalid URL. */
  constructor(url: string, limits: ConnectionLimits) {
    this.#server = readPostgresUrl(url);
    this.#limits = limits;
    this.serverName = this.#server.name;
    this.#pool = new pg.Pool({
      ...this.#settings(),
      max: limits.poolSize,
      idleTimeoutMillis: idleMs,
      allowExitOnIdle: true,
    });
    // Broken idle connections are replaced at the next use.
    this.#pool.on('error', ignore);
    // A connection may break between two statements, or emit several errors: the next statement fails.
    this.#pool.on('connect', (client) => client.on('error', ignore));
  }

  /** Runs a single statement, which is its own transaction. */
  query: Send = async <Row extends object>({ name, text }: Statement, ...values: readonly unknown[]) =>
    this.#attempt(async () => (await this.#pool.query<Row>({ name, text, values: [...values] })).rows);

  /** Runs several statements atomically. */
  transact<Result>(operation: (send: Send) => Promise<Result>): Promise<Result> {
    return this.#attempt(async () => {
      const client = await this.#pool.connect();
      let isUsable = false;
      try {
        await client.query('BEGIN');
        const result = await operation(createSender(client));
        await client.query('COMMIT');
        isUsable = true;
        return result;
      } catch (error) {
        isUsable = isServerError(error) && (await rollBack(client));
        throw error;
      } finally {
        client.release(!isUsable);
      }
    });
  }

  /** Opens a dedicated connection for notices; the caller closes it. */
  async openClient(): Promise<pg.Client> {
    const client = new pg.Client(this.#settings());
    client.on('error', ignore);
    await client.connect();
    return client;
  }

  async close(): Promise<void> {
    await this.#pool.end();
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

  #settings(): pg.ClientConfig {
    const { connectTimeoutMs, statementTimeoutMs } = this.#limits;
    return {
      ...readConnectionUrl(this.#server.url),
      application_name: 'stepwright-dispatch',
      // Statistics of a queue are usually outdated: without bitmap scans, the order comes from the index instead of
      // sorting the whole table.
      options: `-c search_path=${this.#server.schema} -c enable_bitmapscan=off`,
      connectionTimeoutMillis: connectTimeoutMs,
      statement_timeout: statementTimeoutMs,
      query_timeout: statementTimeoutMs + graceMs,
      keepAlive: true,
      types,
    };
  }
}

const ignore = (): void => undefined;

const createSender =
  (client: PoolClient): Send =>
  async <Row extends object>({ name, text }: Statement, ...values: readonly unknown[]) =>
    (await client.query<Row>({ name, text, values: [...values] })).rows;

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
    client.on('error', () => this.#onLost(client));
    client.on('end', () => this.#onLost(client));
    client.on('notification', ({ payload }) => this.#notify(payload ?? ''));
    await client.query(`LISTEN ${channel}`);
    if (this.#listeners.size === 0) await client.end();
    else this.#client = client;
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
