import type { Socket } from 'node:net';
import pg from 'pg';
import type { SqlValue } from '../database/database.ts';
import { type SessionResult, type SessionStep, StepFailed } from './requests.ts';
import { getReader, type ReadValue, toParameter } from './values.ts';

/** Most prepared statements: there is no limit to statements that are built from filters. */
const maxPrepared = 500;

interface Columns {
  readonly names: readonly string[];
  readonly readers: readonly ReadValue[];
}

/** A prepared statement. */
interface Prepared {
  readonly name: string;
  readonly columns: Columns;
}

/** A step of a batch; without `columns` it is prepared under that name first, and its columns are asked for. */
interface Execution extends SessionStep {
  readonly name: string;
  readonly columns?: Columns;
}

/** The driver's messages of the extended protocol. */
interface Wire {
  readonly stream: Socket;
  parse(message: { text: string; name: string }): void;
  bind(message: { statement: string; values: readonly (string | Buffer | null)[] }): void;
  describe(message: { type: 'P' }): void;
  execute(): void;
  sync(): void;
}

const noColumns: Columns = { names: [], readers: [] };

/** Statements that the server carries out together: it skips the rest after one that failed, and replies once. */
class Batch extends pg.Query {
  readonly results: Promise<readonly SessionResult[]>;
  readonly #executions: readonly Execution[];
  readonly #onPrepared: (execution: Execution, columns: Columns) => void;
  readonly #done: SessionResult[] = [];
  #columns: Columns | undefined;
  #rows: SqlValue[][] = [];
  #resolve!: (results: readonly SessionResult[]) => void;
  #reject!: (error: StepFailed) => void;

  constructor(
    executions: readonly Execution[],
    onPrepared: (execution: Execution, columns: Columns) => void,
  ) {
    super({ text: '' });
    this.#executions = executions;
    this.#onPrepared = onPrepared;
    this.results = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  override readonly submit = (connection: unknown): void => {
    const wire = connection as Wire;
    for (const { text, name, values = [], columns } of this.#executions) {
      if (columns === undefined) wire.parse({ text, name });
      wire.bind({ statement: name, values: values.map(toParameter) });
      if (columns === undefined) wire.describe({ type: 'P' });
      wire.execute();
    }
    wire.sync();
  };

  handleRowDescription({ fields }: { fields: readonly { name: string; dataTypeID: number }[] }): void {
    this.#columns = {
      names: fields.map(({ name }) => name),
      readers: fields.map(({ dataTypeID }) => getReader(dataTypeID)),
    };
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const { readers } = this.#execution.columns ?? this.#columns!;
    this.#rows.push(fields.map((text, index) => (text === null ? null : readers[index]!(text))));
  }

  /** @param message its text is the command tag with the number of rows, such as `INSERT 0 1` or `SELECT 5` */
  handleCommandComplete(message: { text: string }): void {
    const execution = this.#execution;
    const columns = execution.columns ?? this.#columns ?? noColumns;
    if (execution.columns === undefined) this.#onPrepared(execution, columns);
    const [command, ...counts] = message.text.split(' ');
    const rowCount = Number(counts.at(-1)) || 0;
    this.#done.push({ columns: columns.names, rows: this.#rows, rowCount, command: command! });
    this.#columns = undefined;
    this.#rows = [];
  }

  handleError(error: unknown): void {
    this.#reject(new StepFailed(this.#done.length, error));
  }

  handleReadyForQuery(): void {
    this.#resolve(this.#done);
  }

  get #execution(): Execution {
    return this.#executions[this.#done.length]!;
  }
}

/** The driver's connection, with batches of prepared statements. */
export class Connection extends pg.Client {
  /** Whether prepared statements last; with a pooler, each transaction may have another session of the server. */
  keepsStatements = false;
  readonly #prepared = new Map<string, Prepared>();
  #lastName = 0;

  get socket(): Socket {
    return (this as unknown as { readonly connection: Wire }).connection.stream;
  }

  /** The number of the server's process. */
  get processId(): number {
    return (this as unknown as { readonly processID: number }).processID;
  }

  /**
   * Sends all steps at once, in one packet if they fit. When one fails the others have failed too, or are rolled back
   * with their transaction.
   * @throws StepFailed
   */
  async run(steps: readonly SessionStep[]): Promise<SessionResult[]> {
    const { socket } = this;
    socket.cork();
    const parts = toParts(steps).map((part) => this.#send(part));
    socket.uncork();
    const results: SessionResult[] = [];
    for (const outcome of await Promise.allSettled(parts)) {
      if (outcome.status === 'fulfilled') results.push(...outcome.value);
      else throw atStep(results.length, outcome.reason);
    }
    return results;
  }

  /** Closes the connection at once; running statements fail. */
  destroy(): void {
    this.socket.destroy();
  }

  async #send(part: readonly SessionStep[]): Promise<readonly SessionResult[]> {
    const [{ text, values }] = part as [SessionStep];
    if (values !== undefined) return await this.#sendBatch(part);
    await this.query(text);
    return [{ columns: [], rows: [], rowCount: 0, command: '' }];
  }

  #sendBatch(steps: readonly SessionStep[]): Promise<readonly SessionResult[]> {
    const batch = new Batch(
      steps.map((step) => ({ ...step, ...this.#getStatement(step.text) })),
      ({ text, name }, columns) => {
        if (name !== '') this.#prepared.set(text, { name, columns });
      },
    );
    this.query(batch);
    return batch.results;
  }

  /** A new name is used by others only when it is prepared; another batch may prepare the same text meanwhile. */
  #getStatement(text: string): Prepared | { readonly name: string } {
    if (!this.keepsStatements) return { name: '' };
    const known = this.#prepared.get(text);
    if (known !== undefined) return known;
    return { name: this.#prepared.size < maxPrepared ? `s${(this.#lastName += 1)}` : '' };
  }
}

/**
 * Splits a request into batches. A text without values may have several statements, which need a message of their own.
 * So does the commit: after a failed statement it ends the transaction.
 */
function toParts(steps: readonly SessionStep[]): SessionStep[][] {
  const parts: SessionStep[][] = [];
  let canContinue = false;
  for (const step of steps) {
    const isAlone = step.values === undefined || step.text === 'COMMIT';
    if (canContinue && !isAlone) parts.at(-1)!.push(step);
    else parts.push([step]);
    canContinue = !isAlone;
  }
  return parts;
}

const atStep = (earlier: number, error: unknown): StepFailed =>
  error instanceof StepFailed
    ? new StepFailed(earlier + error.step, error.cause)
    : new StepFailed(earlier, error);
