import pg, { type Pool, type PoolClient } from 'pg';
import { AppError, messageOf } from '../../../base/errors.ts';
import { readConnectionUrl } from '../../../gateway/database/server/connection-settings.ts';
import { readPostgresUrl, type PostgresPlace } from '../../../store/database/postgres/postgres-url.ts';

/** A statement that each session reads and plans once. Its name stands for its text. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Sends statements of one transaction, each after the one before. */
export type Send = <Row extends object>(
  statement: Statement,
  ...values: readonly unknown[]
) => Promise<Row[]>;

/** How the server is reached. */
export interface ConnectionLimits {
  /** Connections at most, beside the one that listens. */
  readonly poolSize: number;
  /** For a connection, and for a free one of the pool, milliseconds. */
  readonly connectTimeoutMs: number;
  /** Of a statement, milliseconds. */
  readonly statementTimeoutMs: number;
}

export const connectionDefaults: ConnectionLimits = {
  poolSize: 10,
  connectTimeoutMs: 5000,
  statementTimeoutMs: 15_000,
};

/** The server ends a statement first; this is for one that does not answer any more, milliseconds. */
const graceMs = 2000;
const idleMs = 30_000;
/** How often a transaction is tried that another one was in the way of. */
const attempts = 5;
/** A deadlock, or a conflict that trying again resolves. */
const transient = new Set(['40P01', '40001']);

/** Number of the type `bigint`: it comes as text otherwise; ours are times, counts and keys, all below 2^53. */
const bigintType = 20;
const types: pg.CustomTypesConfig = {
  getTypeParser: (id: number, format?: string) =>
    id === bigintType ? Number : (pg.types.getTypeParser(id, format as 'text') as unknown),
};

/** A server's database, by a pool of connections. Rejects with `unavailable` when it cannot be reached. */
export class Connection {
  /** As it may be shown. */
  readonly place: string;
  readonly #server: PostgresPlace;
  readonly #limits: ConnectionLimits;
  readonly #pool: Pool;

  /** Throws `home_unusable` for an address that cannot be read. */
  constructor(url: string, limits: ConnectionLimits) {
    this.#server = readPostgresUrl(url);
    this.#limits = limits;
    this.place = this.#server.name;
    this.#pool = new pg.Pool({
      ...this.#settings(),
      max: limits.poolSize,
      idleTimeoutMillis: idleMs,
      allowExitOnIdle: true,
    });
    // Idle connections that break are replaced when they are next needed.
    this.#pool.on('error', ignore);
    // One that breaks between two statements, or says so twice: the next statement fails.
    this.#pool.on('connect', (client) => client.on('error', ignore));
  }

  /** One statement by itself, which is a transaction. */
  query: Send = async <Row extends object>({ name, text }: Statement, ...values: readonly unknown[]) =>
    this.#attempt(async () => (await this.#pool.query<Row>({ name, text, values: [...values] })).rows);

  /** Several statements, all of them or none. */
  transact<Result>(operation: (send: Send) => Promise<Result>): Promise<Result> {
    return this.#attempt(async () => {
      const client = await this.#pool.connect();
      let isUsable = false;
      try {
        await client.query('BEGIN');
        const result = await operation(senderOf(client));
        await client.query('COMMIT');
        isUsable = true;
        return result;
      } catch (thrown) {
        isUsable = isRefusal(thrown) && (await rollBack(client));
        throw thrown;
      } finally {
        client.release(!isUsable);
      }
    });
  }

  /** A connection of its own, for notices; it does not end by itself. */
  async connectAlone(): Promise<pg.Client> {
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
      } catch (thrown) {
        if (attempt < attempts && isRefusal(thrown) && transient.has(thrown.code)) continue;
        throw describeFailure(thrown, this.place);
      }
    }
  }

  #settings(): pg.ClientConfig {
    const { connectTimeoutMs, statementTimeoutMs } = this.#limits;
    return {
      ...readConnectionUrl(this.#server.url),
      application_name: 'stepwright-dispatch',
      // Counts of a queue are old by nature: without bitmaps its order comes from its index, never from sorting all of it.
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

const senderOf =
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

/** What the server itself has said. */
const isRefusal = (thrown: unknown): thrown is Error & { readonly code: string } =>
  thrown instanceof Error && 'severity' in thrown && 'code' in thrown && typeof thrown.code === 'string';

/** Connection lost, server starting, stopping or out of connections, statement ended by a time limit, read-only standby. */
const isAway = (code: string): boolean => /^(08|57|53[^1]|25006)/.test(code);

/** Turns what the driver throws into a refusal; a statement that is wrong stays a defect. */
function describeFailure(thrown: unknown, place: string): unknown {
  if (thrown instanceof AppError) return thrown;
  const said = thrown instanceof AggregateError ? thrown.errors.map(messageOf).join('; ') : messageOf(thrown);
  const refuse = (code: 'unavailable' | 'storage_full', text: string): AppError =>
    new AppError(code, text, { details: { database: place }, cause: thrown });
  if (!isRefusal(thrown) || isAway(thrown.code))
    return refuse(
      'unavailable',
      `Cannot reach the database ${place} (${said}). Retrying; check the server if this persists.`,
    );
  if (thrown.code === '53100')
    return refuse(
      'storage_full',
      `Cannot write to the database ${place} (${said}). Free some space on its disk.`,
    );
  return thrown;
}
