import { createHash, randomUUID } from 'node:crypto';
import type { AppError } from '../../../base/errors.ts';
import { timings } from '../../../base/timings.ts';
import type { Database, Row, SqlValue } from '../database.ts';
import {
  channelOf,
  quoteName,
  type SessionFailure,
  type SessionResult,
  type SessionStep,
} from './messages.ts';
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

/** Something that goes out with what is asked next; `result` is there when it has. */
interface Pending {
  readonly step: SessionStep;
  /** It may change rows. */
  readonly isChange?: boolean;
  result?: SessionResult;
}

/** A transaction under way. */
interface Transaction {
  readonly isWrite: boolean;
  /** What nobody has asked for the result of: it costs no way of its own. */
  pending: Pending[];
  hasBegun: boolean;
  hasWritten: boolean;
  /** Something has failed; whatever comes now is refused. */
  failure: PostgresFailure | undefined;
  /** What is read but once. */
  readonly known: Map<string, unknown>;
  /** Nor does it help to undo a part: the connection was lost, or nobody knows which part it was. */
  isOver: boolean;
}

const generatedKeysSql = /* sql */ `
  SELECT relname, attname FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
  WHERE attidentity <> '' AND NOT attisdropped AND relkind = 'r' AND relnamespace = to_regnamespace(current_schema())`;

const bare = (text: string): Pending => ({ step: { text } });

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
    this.#line = new SessionLine({ url, schema, origin: this.#origin, timings });
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- names the shape of the row, as in `all`
  get<Result extends object = Row>(sql: string, ...values: SqlValue[]): Result | undefined {
    return this.all<Result>(sql, ...values)[0];
  }

  all<Result extends object = Row>(sql: string, ...values: SqlValue[]): Result[] {
    const { columns, rows } = this.#execute({ step: { text: this.#translate(sql), values } });
    return rows.map((row) => toObject(columns, row)) as Result[];
  }

  /** Goes out with what is asked next, or with the commit, unless its result is looked at. */
  run(sql: string, ...values: SqlValue[]): { changes: number; key: number } {
    if (this.#transaction === undefined) return this.write(() => ({ ...this.run(sql, ...values) }));
    const change: Pending = { step: { text: this.#translate(sql), values }, isChange: true };
    this.#transaction.pending.push(change);
    const settle = (): SessionResult => {
      if (change.result === undefined) this.#flush();
      return change.result!;
    };
    return {
      get changes() {
        return settle().rowCount;
      },
      get key() {
        return Number(settle().rows[0]?.[0] ?? 0);
      },
    };
  }

  /** In PostgreSQL's own SQL. May take long. */
  largeText(text: string): SqlValue {
    return text;
  }

  execute(sql: string): void {
    if (this.#transaction === undefined) return this.write(() => this.execute(sql));
    this.#transaction.pending.push(bare('SET LOCAL statement_timeout = 0'));
    this.#execute({ ...bare(sql), isChange: true }, longPatienceMs);
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
    if (transaction === undefined) throw new Error('a savepoint requires a transaction');
    const begin = bare('SAVEPOINT part');
    transaction.pending.push(begin);
    try {
      const value = operation();
      // Of a part in which nothing was done nothing need be said.
      if (transaction.pending.at(-1) === begin) transaction.pending.pop();
      else transaction.pending.push(bare('RELEASE SAVEPOINT part'));
      return value;
    } catch (thrown) {
      if (!forget(transaction, begin))
        transaction.pending = [bare('ROLLBACK TO SAVEPOINT part; RELEASE SAVEPOINT part')];
      if (!transaction.isOver) transaction.failure = undefined;
      throw thrown;
    }
  }

  /** Each read is a way to the server and back. */
  readOnce<Value>(name: string, read: () => Value): Value {
    const known = this.#transaction?.known;
    if (known === undefined) return read();
    if (!known.has(name)) known.set(name, read());
    return known.get(name) as Value;
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
    if (this.#transaction !== undefined) throw new Error('a transaction is already active');
    const transaction: Transaction = {
      isWrite,
      pending: [bare(beginText)],
      hasBegun: false,
      hasWritten: false,
      failure: undefined,
      known: new Map(),
      isOver: false,
    };
    this.#transaction = transaction;
    try {
      const value = operation();
      this.#commit(transaction);
      return value;
    } catch (thrown) {
      if (transaction.hasBegun && !isGone(transaction)) this.#send('ROLLBACK');
      throw thrown;
    } finally {
      this.#transaction = undefined;
    }
  }

  /** Nobody waits for the end of what has written nothing. A failure that nobody minded counts all the same. */
  #commit(transaction: Transaction): void {
    const { hasBegun, hasWritten, failure, pending } = transaction;
    if (failure !== undefined) throw failure;
    if (!hasWritten && !pending.some(({ isChange }) => isChange)) {
      if (hasBegun) this.#send('COMMIT');
      return;
    }
    const notice = `NOTIFY ${quoteName(channelOf(this.schema))}, '${this.#origin}'`;
    transaction.pending.push(bare(`${notice}; COMMIT`));
    this.#flush({ isCommit: true });
    this.#ownWrites += 1;
  }

  #execute(asked: Pending, timeoutMs = patienceMs): SessionResult {
    if (this.#transaction === undefined)
      return this.#line.ask({ steps: [asked.step], begins: true, timeoutMs })[0]!;
    this.#transaction.pending.push(asked);
    this.#flush({ timeoutMs });
    return asked.result!;
  }

  /** Sends what is pending and waits for it. */
  #flush({ timeoutMs = patienceMs, isCommit = false } = {}): void {
    const transaction = this.#transaction;
    if (transaction === undefined) throw new Error('the transaction of this statement has ended');
    if (transaction.failure !== undefined) throw transaction.failure;
    const { pending, isWrite } = transaction;
    const begins = !transaction.hasBegun;
    transaction.pending = [];
    transaction.hasBegun = true;
    try {
      const results = this.#line.ask({ steps: pending.map(({ step }) => step), begins, timeoutMs });
      for (const [index, result] of results.entries()) {
        pending[index]!.result = result;
        if (result.rowCount > 0 && result.command !== 'SELECT') transaction.hasWritten = true;
      }
      if (begins && isWrite) this.#isBlocked = false;
    } catch (thrown) {
      throw thrown instanceof PostgresFailure ? this.#note(thrown.failure, pending, isCommit) : thrown;
    }
  }

  /** What fails later than it was asked for fails everything: nobody knows any more which part it belonged to. */
  #note(failure: SessionFailure, pending: readonly Pending[], isCommit: boolean): PostgresFailure {
    const noted = new PostgresFailure(failure, isCommit);
    const transaction = this.#transaction!;
    transaction.failure = noted;
    transaction.isOver = failure.kind !== 'statement' || (failure.step ?? 0) < pending.length - 1;
    if (transaction.isWrite && failure.code === lockNotAvailable) this.#isBlocked = true;
    return noted;
  }

  /** Whatever comes of it. */
  #send(text: string): void {
    this.#line.send({ steps: [{ text }], begins: false, timeoutMs: patienceMs });
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
      this.#execute({ step: { text: generatedKeysSql, values: [] } }).rows.map(([table, column]) => [
        String(table),
        String(column),
      ]),
    ));
  }
}

const lockNotAvailable = '55P03';
const insertion = /^\s*INSERT\b/;

/** Whether there is no connection any more that something would have to be said to. */
const isGone = ({ failure }: Transaction): boolean =>
  failure !== undefined && failure.failure.kind !== 'statement';

/** Whether the beginning of a part had not gone out, and need not any more, with all that came after it. */
function forget(transaction: Transaction, begin: Pending): boolean {
  const index = transaction.pending.indexOf(begin);
  if (index === -1) return false;
  transaction.pending.length = index;
  return true;
}

const toObject = (columns: readonly string[], row: readonly SqlValue[]): Row =>
  Object.fromEntries(columns.map((column, index) => [column, row[index]!]));
