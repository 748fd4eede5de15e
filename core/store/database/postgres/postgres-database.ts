import { createHash, randomUUID } from 'node:crypto';
import type { AppError } from '../../../base/errors.ts';
import type { Database, Row, SqlValue } from '../database.ts';
import { channelOf, quoteName, type SessionResult, type SessionStep } from './messages.ts';
import { damagedServer, describePostgresError } from './postgres-error.ts';
import { PostgresFailure, SessionLine } from './session-line.ts';
import { translate } from './translate.ts';

/** Over it the connection is broken; a statement alone is ended by the server before, milliseconds. */
const patienceMs = 30_000;
/** The same of what is told to take its time, such as a migration. */
const longPatienceMs = 3_600_000;
/**
 * The wait for the write lock after it has been waited for in vain: a host that waited as long again and again would do
 * nothing else. Milliseconds.
 */
const blockedTimeoutMs = 200;

/** A transaction under way. */
interface Transaction {
  readonly isWrite: boolean;
  /** What goes out with the next statement: beginnings and ends of parts cost no way of their own. */
  pending: SessionStep[];
  hasBegun: boolean;
  hasWritten: boolean;
  /** The connection was lost; whatever comes now is refused. */
  loss: PostgresFailure | undefined;
}

const generatedKeysSql = /* sql */ `
  SELECT relname, attname FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
  WHERE attidentity <> '' AND NOT attisdropped AND relkind = 'r' AND relnamespace = to_regnamespace(current_schema())`;

const bare = (text: string): SessionStep => ({ text });

/**
 * One connection to a schema of a PostgreSQL server, in a thread that is waited for. A write transaction begins with one
 * lock of the whole schema, which makes writers take turns exactly as on SQLite; its commit tells the others, once.
 */
export class PostgresDatabase implements Database {
  readonly name: string;
  readonly schema: string;
  readonly #line: SessionLine;
  readonly #origin = randomUUID().slice(0, 8);
  readonly #lockKey: string;
  readonly #texts = new Map<string, string>();
  #generatedKeys: ReadonlyMap<string, string> | undefined;
  #transaction: Transaction | undefined;
  #isBlocked = false;
  #ownWrites = 0;

  /**
   * @param url without our own parameters
   * @param schema of the server's database; everything of the home lies in it
   * @param name the URL as it may be shown
   */
  constructor(url: string, schema: string, name: string) {
    this.name = name;
    this.schema = schema;
    this.#lockKey = createHash('sha256').update(`stepwright/${schema}`).digest().readBigInt64BE().toString();
    this.#line = new SessionLine({ url, schema, origin: this.#origin });
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- names the shape of the row, as in `all`
  get<Result extends object = Row>(sql: string, ...values: SqlValue[]): Result | undefined {
    return this.all<Result>(sql, ...values)[0];
  }

  all<Result extends object = Row>(sql: string, ...values: SqlValue[]): Result[] {
    const { columns, rows } = this.#execute({ text: this.#translate(sql), values });
    return rows.map((row) => toObject(columns, row)) as Result[];
  }

  run(sql: string, ...values: SqlValue[]): { changes: number; key: number } {
    if (this.#transaction === undefined) return this.write(() => this.run(sql, ...values));
    const { rows, rowCount } = this.#execute({ text: this.#translate(sql), values });
    return { changes: rowCount, key: Number(rows[0]?.[0] ?? 0) };
  }

  /** In PostgreSQL's own SQL. May take long. */
  execute(sql: string): void {
    if (this.#transaction === undefined) return this.write(() => this.execute(sql));
    this.#transaction.pending.push(bare('SET LOCAL statement_timeout = 0'));
    this.#execute(bare(sql), longPatienceMs);
    this.#transaction.hasWritten = true;
  }

  commitMark(): string {
    return `${this.#line.changes}.${this.#ownWrites}`;
  }

  /** The connection's thread hears of the commits of others, and counts them. */
  foreignVersion(): number {
    return this.#line.changes;
  }

  write<Value>(operation: () => Value): Value {
    const wait = this.#isBlocked ? `SET LOCAL lock_timeout = ${blockedTimeoutMs}; ` : '';
    return this.#transact(true, `BEGIN; ${wait}SELECT pg_advisory_xact_lock(${this.#lockKey})`, operation);
  }

  read<Value>(operation: () => Value): Value {
    return this.#transact(false, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', operation);
  }

  savepoint<Value>(operation: () => Value): Value {
    const transaction = this.#transaction;
    if (transaction === undefined) throw new Error('a savepoint is part of a transaction');
    const begin = bare('SAVEPOINT part');
    transaction.pending.push(begin);
    try {
      const value = operation();
      if (!forget(transaction, begin)) transaction.pending.push(bare('RELEASE SAVEPOINT part'));
      return value;
    } catch (thrown) {
      if (transaction.loss === undefined && !forget(transaction, begin))
        transaction.pending.push(bare('ROLLBACK TO SAVEPOINT part; RELEASE SAVEPOINT part'));
      throw thrown;
    }
  }

  describeError(thrown: unknown): unknown {
    return describePostgresError(thrown, this.name);
  }

  describeDamage(finding: string): AppError {
    return damagedServer(this.name, finding);
  }

  close(): void {
    this.#line.close();
  }

  #transact<Value>(isWrite: boolean, beginText: string, operation: () => Value): Value {
    if (this.#transaction !== undefined) throw new Error('a transaction is under way already');
    const transaction: Transaction = {
      isWrite,
      pending: [bare(beginText)],
      hasBegun: false,
      hasWritten: false,
      loss: undefined,
    };
    this.#transaction = transaction;
    try {
      const value = operation();
      this.#commit(transaction);
      return value;
    } catch (thrown) {
      if (transaction.hasBegun && transaction.loss === undefined)
        this.#line.send({ steps: [bare('ROLLBACK')], begins: false, timeoutMs: patienceMs });
      throw thrown;
    } finally {
      this.#transaction = undefined;
    }
  }

  /** Nobody waits for the end of what has written nothing. */
  #commit(transaction: Transaction): void {
    const { hasBegun, hasWritten, loss, pending } = transaction;
    if (loss !== undefined) throw loss;
    if (!hasBegun) return;
    if (!hasWritten)
      return this.#line.send({ steps: [bare('COMMIT')], begins: false, timeoutMs: patienceMs });
    const notice = `NOTIFY ${quoteName(channelOf(this.schema))}, '${this.#origin}'`;
    const steps = [...pending, bare(`${notice}; COMMIT`)];
    // Refused when a statement had failed, and nobody minded.
    this.#ask(steps, transaction, { begins: false, isCommit: true });
    this.#ownWrites += 1;
  }

  #execute(step: SessionStep, timeoutMs = patienceMs): SessionResult {
    const transaction = this.#transaction;
    if (transaction === undefined) return this.#line.ask({ steps: [step], begins: true, timeoutMs });
    if (transaction.loss !== undefined) throw transaction.loss;
    const steps = [...transaction.pending, step];
    const begins = !transaction.hasBegun;
    transaction.pending = [];
    transaction.hasBegun = true;
    const result = this.#ask(steps, transaction, { begins, timeoutMs });
    if (begins && transaction.isWrite) this.#isBlocked = false;
    if (result.rowCount > 0 && result.command !== 'SELECT') transaction.hasWritten = true;
    return result;
  }

  #ask(
    steps: readonly SessionStep[],
    transaction: Transaction,
    { begins, timeoutMs = patienceMs, isCommit = false }: AskOptions,
  ): SessionResult {
    try {
      return this.#line.ask({ steps, begins, timeoutMs });
    } catch (thrown) {
      if (!(thrown instanceof PostgresFailure)) throw thrown;
      const { failure } = thrown;
      if (begins && failure.code === lockNotAvailable) this.#isBlocked = true;
      if (failure.kind === 'statement') throw thrown;
      transaction.loss = new PostgresFailure(failure, isCommit);
      throw transaction.loss;
    }
  }

  #translate(sql: string): string {
    const known = this.#texts.get(sql);
    if (known !== undefined) return known;
    const text = translate(sql, insertion.test(sql) ? this.#readGeneratedKeys() : new Map());
    this.#texts.set(sql, text);
    return text;
  }

  #readGeneratedKeys(): ReadonlyMap<string, string> {
    return (this.#generatedKeys ??= new Map(
      this.#execute({ text: generatedKeysSql, values: [] }).rows.map(([table, column]) => [
        String(table),
        String(column),
      ]),
    ));
  }
}

interface AskOptions {
  readonly begins: boolean;
  readonly timeoutMs?: number;
  readonly isCommit?: boolean;
}

const lockNotAvailable = '55P03';
const insertion = /^\s*INSERT\b/;

/** Whether the step had not gone out, and need not any more. */
function forget(transaction: Transaction, step: SessionStep): boolean {
  const index = transaction.pending.indexOf(step);
  if (index === -1) return false;
  transaction.pending.length = index;
  return true;
}

const toObject = (columns: readonly string[], row: readonly SqlValue[]): Row =>
  Object.fromEntries(columns.map((column, index) => [column, row[index]!]));
