import type { Connection } from 'pg';
import { serialize } from 'pg-protocol';
import type { StatementResult } from '../database.ts';
import type { PreparedBatch, StatementUse, ResultShape, SentStatement } from '../prepared-statements.ts';

/** A protocol message as the driver parses it. */
interface Description {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
}

/** The part of the driver's connection that is used here. */
interface Wire {
  readonly stream: { write(bytes: Uint8Array): void };
  sendCopyFail(reason: string): void;
}

/** Outcome of a batch. */
export interface BatchEnd {
  /** Results of all statements, or of those before the failed one. */
  readonly results: readonly StatementResult[];
  /** The error of the driver. */
  readonly failure?: unknown;
}

const nothingPrepared: Pick<PreparedBatch, 'closes' | 'uses'> = { closes: [], uses: [] };
const ignore = (): void => undefined;
const nothing: ResultShape = { columns: [], typeIds: [] };
const describePortal = serialize.describe({ type: 'P' });
const executePortal = serialize.execute();

/**
 * Statements that are sent together with one Sync at the end. After an error, PostgreSQL skips the rest. Passed to
 * `Client.query`, which calls the methods as responses arrive.
 */
export class StatementBatch {
  #statements: readonly SentStatement[];
  #prepared: Pick<PreparedBatch, 'closes' | 'uses'>;
  #results: StatementResult[] = [];
  #shape: ResultShape | undefined;
  #rows: (string | null)[][] = [];
  /** Called by the driver after the last response. */
  callback: (error: unknown) => void;
  #onEnd: (end: BatchEnd) => void;

  /** @param onEnd called once */
  constructor(
    statements: readonly SentStatement[],
    prepared: Pick<PreparedBatch, 'closes' | 'uses'>,
    onEnd: (end: BatchEnd) => void,
  ) {
    this.#statements = statements;
    this.#prepared = prepared;
    this.#onEnd = onEnd;
    this.callback = (error) => {
      this.#onEnd({ results: this.#results, ...(error !== undefined && { failure: error }) });
      this.#releaseStatements();
    };
  }

  /** Sends all messages in one write, because each write costs as much as all of them together. */
  submit(connection: Connection): void {
    const { closes, uses } = this.#prepared;
    const chunks = closes.map((name) => serialize.close({ type: 'S', name }));
    for (const [index, statement] of this.#statements.entries())
      addStatement(chunks, statement, uses[index]!);
    chunks.push(serialize.sync());
    wireOf(connection).stream.write(Buffer.concat(chunks));
  }

  /** Releases references. Batches live long enough to reach the old generation of the heap. */
  #releaseStatements(): void {
    this.#statements = [];
    this.#prepared = nothingPrepared;
    this.#results = [];
    this.#rows = [];
    this.#onEnd = ignore;
  }

  handleRowDescription({ fields }: Description): void {
    const columns = fields.map(({ name }) => name);
    this.#shape = { columns, typeIds: fields.map(({ dataTypeID }) => dataTypeID) };
  }

  handleDataRow({ fields }: { readonly fields: (string | null)[] }): void {
    this.#rows.push(fields);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const shape = this.#shape ?? this.#prepared.uses[this.#results.length]?.shape ?? nothing;
    // The last word is a number, or belongs to another command.
    const affected = Number(text.slice(text.lastIndexOf(' ') + 1)) || 0;
    this.#results.push({ ...shape, rows: this.#rows, affected });
    this.#shape = undefined;
    this.#rows = [];
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }

  handleCopyInResponse(connection: Connection): void {
    wireOf(connection).sendCopyFail('COPY FROM STDIN is not supported; use INSERT');
  }

  handleCopyData(): void {}

  handlePortalSuspended(): void {
    // Not called, because no row limit is sent.
  }

  handleError(error: unknown): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback(undefined);
  }
}

const wireOf = (connection: Connection): Wire => connection as unknown as Wire;

function addStatement(chunks: Uint8Array[], { text, values }: SentStatement, use: StatementUse): void {
  const { name, isNew, shape } = use;
  if (isNew) chunks.push(serialize.parse({ text, name }));
  chunks.push(serialize.bind({ statement: name, values: values as (string | null)[] }));
  if (shape === undefined) chunks.push(describePortal);
  chunks.push(executePortal);
}
