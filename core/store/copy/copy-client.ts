import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import pg, { type Client, type Submittable } from 'pg';
import { getErrorMessage } from '../../base/errors.ts';
import type { SqlValue, Statement } from '../database/database.ts';
import { PostgresFailure, setUpText } from '../postgres/requests.ts';
import type { PostgresLocation } from '../postgres/open-postgres.ts';
import { toPostgresError } from '../postgres/postgres-error.ts';
import { escapeNul, typeParsers } from '../postgres/values.ts';
import { readConnectionUrl } from '../sql/connection-settings.ts';
import { chunkBytes, type RowChunk } from './copy-end.ts';

/** The driver's connection, as far as COPY needs it. */
interface Wire {
  readonly stream: Socket;
  query(text: string): void;
  sendCopyFromChunk(data: Uint8Array): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
}

const connectTimeoutMs = 5000;
const keepAliveMs = 10_000;

/** Without time limits; a lost commit is only noticed by its saved progress, which is lost with it. */
const copySettings = /* sql */ `
  SET statement_timeout = 0;
  SET idle_in_transaction_session_timeout = 0;
  SET synchronous_commit = off;
  SET maintenance_work_mem = '256MB';
  SET bytea_output = hex;
  SET extra_float_digits = 1`;

/** An asynchronous connection for COPY and for statements that take long. Throws application errors. */
export class CopyClient {
  readonly #client: Client;
  readonly #name: string;

  private constructor(client: Client, name: string) {
    this.#client = client;
    this.#name = name;
  }

  static async connect({ url, schema, name }: PostgresLocation): Promise<CopyClient> {
    const client = new pg.Client({
      ...readConnectionUrl(url),
      application_name: 'stepwright copy',
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveMs,
      connectionTimeoutMillis: connectTimeoutMs,
    });
    // Running statements fail too, and report it.
    client.on('error', () => undefined);
    const connection = new CopyClient(client, name);
    try {
      await client.connect();
    } catch (error) {
      throw connection.#toError(error, 'connect');
    }
    await connection.execute(`${setUpText(schema)}; ${copySettings}`);
    return connection;
  }

  /** Runs several statements without values. */
  async execute(text: string): Promise<void> {
    await this.#run(() => this.#client.query(text));
  }

  async all<Row extends object>(text: string, values: readonly SqlValue[] = []): Promise<Row[]> {
    const encoded = values.map((value) => (typeof value === 'string' ? escapeNul(value) : value));
    const query = { text, values: encoded, types: typeParsers };
    return this.#run(async () => (await this.#client.query<Row>(query)).rows);
  }

  /** Runs an operation in a transaction. */
  async transact(operation: () => Promise<void>): Promise<void> {
    await this.execute('BEGIN');
    try {
      await operation();
      await this.execute('COMMIT');
    } catch (error) {
      await this.execute('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  /** Sends rows with `COPY … FROM STDIN`. */
  async copyIn(text: string, chunks: AsyncIterable<RowChunk>): Promise<void> {
    const copy = new CopyIn(text);
    this.#client.query(copy);
    await this.#run(() => Promise.race([copy.ready, copy.ended]));
    const { stream } = this.#wire;
    try {
      for await (const { data } of chunks) {
        this.#wire.sendCopyFromChunk(data);
        if (stream.writableNeedDrain) await Promise.race([once(stream, 'drain'), copy.ended]);
      }
    } catch (error) {
      this.#wire.sendCopyFail('the source failed');
      await copy.ended.catch(() => undefined);
      throw this.#toError(error);
    }
    this.#wire.endCopyFrom();
    await this.#run(() => copy.ended);
  }

  /** Receives rows with `COPY … TO STDOUT`. */
  async *copyOut(text: string): AsyncGenerator<RowChunk> {
    const copy = new CopyOut(text);
    this.#client.query(copy);
    try {
      for await (const chunk of copy.rows) yield chunk as RowChunk;
    } catch (error) {
      throw this.#toError(error);
    } finally {
      // The rest of the rows cannot be skipped.
      if (!copy.rows.readableEnded) this.#wire.stream.destroy();
    }
  }

  async close(): Promise<void> {
    await this.#client.end().catch(() => undefined);
  }

  get #wire(): Wire {
    return (this.#client as unknown as { readonly connection: Wire }).connection;
  }

  async #run<Value>(operation: () => Promise<Value>): Promise<Value> {
    try {
      return await operation();
    } catch (error) {
      throw this.#toError(error);
    }
  }

  #toError(error: unknown, kind: 'connect' | 'lost' = 'lost'): unknown {
    const { code = '', severity } = error as { readonly code?: string; readonly severity?: string };
    const isOfDriver = severity !== undefined || error instanceof AggregateError || isPlainError(error);
    if (!isOfDriver) return error;
    const failure = {
      kind: severity === 'ERROR' ? ('statement' as const) : kind,
      code,
      message: getErrorMessage(error),
    };
    return toPostgresError(new PostgresFailure(failure), this.#name);
  }
}

/** Whether an error is of Node or the driver: ours, and those of SQLite, have classes. */
const isPlainError = (error: unknown): boolean => error instanceof Error && error.constructor === Error;

/** Replaces placeholders by literals: COPY accepts no parameters. */
export function inlineValues({ sql, values }: Statement): string {
  let index = 0;
  return sql.replaceAll('?', () => pg.escapeLiteral(escapeNul(String(values[index++]))));
}

/** `COPY … FROM STDIN` as a query of the driver. */
class CopyIn implements Submittable {
  readonly ready: Promise<void>;
  readonly ended: Promise<void>;
  readonly #text: string;
  #onReady!: () => void;
  #onEnded!: () => void;
  #onError!: (error: unknown) => void;

  constructor(text: string) {
    this.#text = text;
    this.ready = new Promise((resolve) => (this.#onReady = resolve));
    this.ended = new Promise((resolve, reject) => {
      this.#onEnded = resolve;
      this.#onError = reject;
    });
    // Several waiters may come after it.
    this.ended.catch(() => undefined);
  }

  submit(connection: unknown): void {
    (connection as Wire).query(this.#text);
  }

  handleCopyInResponse(): void {
    this.#onReady();
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#onEnded();
  }

  handleError(error: unknown): void {
    this.#onError(error);
  }
}

/** `COPY … TO STDOUT` as a query of the driver. Reading pauses while the rows are not taken. */
class CopyOut implements Submittable {
  readonly rows: Readable;
  readonly #text: string;
  #wire: Wire | undefined;
  #data = Buffer.allocUnsafe(chunkBytes);
  #length = 0;
  #count = 0;

  constructor(text: string) {
    this.#text = text;
    const read = (): void => void this.#wire?.stream.resume();
    this.rows = new Readable({ objectMode: true, highWaterMark: 4, read });
  }

  submit(connection: unknown): void {
    this.#wire = connection as Wire;
    this.#wire.query(this.#text);
  }

  /** Copies each row: the driver reuses its buffer. */
  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    if (this.#length + chunk.length > this.#data.length) this.#flush(chunk.length);
    chunk.copy(this.#data, this.#length);
    this.#length += chunk.length;
    this.#count += 1;
  }

  handleCommandComplete(): void {
    this.#flush(0);
  }

  handleReadyForQuery(): void {
    this.rows.push(null);
  }

  handleError(error: Error): void {
    this.rows.destroy(error);
  }

  #flush(nextLength: number): void {
    const data = this.#data.subarray(0, this.#length);
    const isFull = this.#count > 0 && !this.rows.push({ data, rows: this.#count } satisfies RowChunk);
    if (isFull) this.#wire!.stream.pause();
    this.#data = Buffer.allocUnsafe(Math.max(chunkBytes, nextLength));
    this.#length = 0;
    this.#count = 0;
  }
}
