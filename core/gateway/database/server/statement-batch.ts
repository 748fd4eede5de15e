import type { Connection } from 'pg';
import { serialize } from 'pg-protocol';
import type { StatementResult } from '../database.ts';
import type { PreparedBatch, PreparedUse, ResultShape, SentStatement } from '../prepared-statements.ts';

/** A message of the protocol as the driver reads it. */
interface Description {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
}

/** The part of the driver's connection that is used here. */
interface Wire {
  readonly stream: { write(bytes: Uint8Array): void };
  sendCopyFail(reason: string): void;
}

/** What became of a batch. */
export interface EndOfBatch {
  /** Of the statements that were carried out: all of them, or those before the one that failed. */
  readonly results: readonly StatementResult[];
  /** As the driver gave it. */
  readonly failure?: unknown;
}

const nothingPrepared: Pick<PreparedBatch, 'closes' | 'uses'> = { closes: [], uses: [] };
const toNobody = (): void => undefined;
const nothing: ResultShape = { columns: [], typeIds: [] };
const describePortal = serialize.describe({ type: 'P' });
const executePortal = serialize.execute();

/**
 * Statements that go out together, with one answer at the end: after one that fails, PostgreSQL passes over the rest.
 * Handed to `Client.query`, which calls the methods as the answers come.
 */
export class StatementBatch {
  #statements: readonly SentStatement[];
  #prepared: Pick<PreparedBatch, 'closes' | 'uses'>;
  #results: StatementResult[] = [];
  #shape: ResultShape | undefined;
  #rows: (string | null)[][] = [];
  /** Called by the driver when there is nothing more to come. */
  callback: (error: unknown) => void;
  #onEnd: (end: EndOfBatch) => void;

  /** @param onEnd called once */
  constructor(
    statements: readonly SentStatement[],
    prepared: Pick<PreparedBatch, 'closes' | 'uses'>,
    onEnd: (end: EndOfBatch) => void,
  ) {
    this.#statements = statements;
    this.#prepared = prepared;
    this.#onEnd = onEnd;
    this.callback = (error) => {
      this.#onEnd({ results: this.#results, ...(error !== undefined && { failure: error }) });
      this.#letGo();
    };
  }

  /** One piece of bytes: each that is written by itself costs as much as all of them. */
  submit(connection: Connection): void {
    const { closes, uses } = this.#prepared;
    const parts = closes.map((name) => serialize.close({ type: 'S', name }));
    for (const [index, statement] of this.#statements.entries()) addStatement(parts, statement, uses[index]!);
    parts.push(serialize.sync());
    wireOf(connection).stream.write(Buffer.concat(parts));
  }

  /** Batches live long enough to be moved to where garbage is seldom collected, with all that they still point to. */
  #letGo(): void {
    this.#statements = [];
    this.#prepared = nothingPrepared;
    this.#results = [];
    this.#rows = [];
    this.#onEnd = toNobody;
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
    // Behind the last space is a number, or a word of another command.
    const affected = Number(text.slice(text.lastIndexOf(' ') + 1)) || 0;
    this.#results.push({ ...shape, rows: this.#rows, affected });
    this.#shape = undefined;
    this.#rows = [];
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }

  handleCopyInResponse(connection: Connection): void {
    wireOf(connection).sendCopyFail('there is no input here; use INSERT');
  }

  handleCopyData(): void {
    // Nobody asked for it.
  }

  handlePortalSuspended(): void {
    // No limit on rows is sent, so this does not come.
  }

  handleError(error: unknown): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback(undefined);
  }
}

const wireOf = (connection: Connection): Wire => connection as unknown as Wire;

function addStatement(parts: Uint8Array[], { text, values }: SentStatement, use: PreparedUse): void {
  const { name, isNew, shape } = use;
  if (isNew) parts.push(serialize.parse({ text, name }));
  parts.push(serialize.bind({ statement: name, values: values as (string | null)[] }));
  if (shape === undefined) parts.push(describePortal);
  parts.push(executePortal);
}
