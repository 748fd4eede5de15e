import type { Connection } from 'pg';
import type { Statement, StatementResult } from '../database.ts';
import type { PreparedBatch } from '../prepared-statements.ts';

/** A message of the protocol as the driver reads it. */
interface Description {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
}

/** The part of the driver's connection that speaks the extended protocol. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  parse(query: { readonly text: string; readonly name: string }): void;
  close(statement: { readonly type: 'S'; readonly name: string }): void;
  bind(config: {
    readonly statement: string;
    readonly values: readonly (string | null)[];
    readonly valueMapper?: (value: unknown) => unknown;
  }): void;
  describe(portal: { readonly type: 'P'; readonly name: string }): void;
  execute(portal: { readonly portal: string }): void;
  sync(): void;
  sendCopyFail(reason: string): void;
}

interface Draft {
  columns: string[];
  typeIds: number[];
  readonly rows: (string | null)[][];
}

const emptyDraft = (): Draft => ({ columns: [], typeIds: [], rows: [] });

/**
 * Statements that go out together, with one answer at the end: after one that fails, PostgreSQL passes over the rest.
 * Handed to `Client.query`, which calls the methods as the answers come.
 */
export class StatementBatch {
  readonly #statements: readonly Statement[];
  readonly #prepared: Pick<PreparedBatch, 'closes' | 'uses'>;
  readonly #results: StatementResult[] = [];
  #draft = emptyDraft();
  /** Called by the driver when there is nothing more to come. */
  callback: (error: unknown) => void;
  readonly ended: Promise<readonly StatementResult[]>;

  constructor(statements: readonly Statement[], prepared: Pick<PreparedBatch, 'closes' | 'uses'>) {
    this.#statements = statements;
    this.#prepared = prepared;
    const { promise, resolve, reject } = Promise.withResolvers<readonly StatementResult[]>();
    this.ended = promise;
    this.callback = (error) => (error === undefined ? resolve(this.#results) : reject(error));
  }

  submit(connection: Connection): void {
    const wire = connection as unknown as Wire;
    const { closes, uses } = this.#prepared;
    wire.stream.cork();
    for (const name of closes) wire.close({ type: 'S', name });
    for (const [index, { text, values }] of this.#statements.entries()) {
      const { name, isNew } = uses[index]!;
      if (isNew) wire.parse({ text, name });
      wire.bind({ statement: name, values });
      wire.describe({ type: 'P', name: '' });
      wire.execute({ portal: '' });
    }
    wire.sync();
    wire.stream.uncork();
  }

  handleRowDescription({ fields }: Description): void {
    this.#draft.columns = fields.map(({ name }) => name);
    this.#draft.typeIds = fields.map(({ dataTypeID }) => dataTypeID);
  }

  handleDataRow({ fields }: { readonly fields: (string | null)[] }): void {
    this.#draft.rows.push(fields);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#results.push({ ...this.#draft, affected: Number(/ (\d+)$/.exec(text)?.[1] ?? 0) });
    this.#draft = emptyDraft();
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }

  handleCopyInResponse(connection: Connection): void {
    (connection as unknown as Wire).sendCopyFail('there is no input here; use INSERT');
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
