import { createHash } from 'node:crypto';
import type { SqlValue } from '../database/database.ts';
import { PostgresFailure, type SessionResult, type SessionStep } from './requests.ts';

/** A request that is sent with the next one; `result` is set after that. */
export interface Pending {
  readonly step: SessionStep;
  /** Whether the request may change rows. */
  readonly isChange?: boolean;
  /** Whether its result may be read after the commit. */
  readonly isAwaited?: boolean;
  /** Whether the result may have changed by the commit. */
  readonly isVolatile?: boolean;
  result?: SessionResult;
  /** The result of an optimistic transaction, to be checked. */
  answer?: Answer;
}

/** A running transaction. */
export interface Transaction {
  readonly kind: 'read' | 'write' | 'parallel' | 'optimistic';
  /** Statements without an awaited result; they cost no round trip of their own. */
  pending: Pending[];
  hasStarted: boolean;
  hasWritten: boolean;
  /** Set after an error; later statements are rejected. */
  failure: PostgresFailure | undefined;
  /** Values that are read only once. */
  readonly known: Map<string, () => unknown>;
  locks: Set<string>;
  /** Rolling back a part does not help: the connection was lost, or the failed part is unknown. */
  isOver: boolean;
  /** Of an optimistic transaction: the reads before its first write, and the answers to the first of them. */
  readonly reads: Pending[];
  readonly answers: readonly Answer[];
}

export const newTransaction = (kind: Transaction['kind'], answers: readonly Answer[] = []): Transaction => ({
  kind,
  pending: [],
  hasStarted: false,
  hasWritten: false,
  failure: undefined,
  known: new Map(),
  locks: new Set(),
  isOver: false,
  reads: [],
  answers,
});

/** Advisory locks are numbers. */
export const toLockKey = (name: string): string =>
  createHash('sha256').update(`stepwright/${name}`).digest().readBigInt64BE().toString();

export const keep =
  <Value>(value: Value) =>
  (): Value =>
    value;

export const bare = (text: string): Pending => ({ step: { text, values: [] } });

/** Locks the schema: for a writer that is alone, or shared with parallel ones. */
export const toSchemaLock = (key: string, isShared: boolean): Pending =>
  bare(`SELECT pg_advisory_xact_lock${isShared ? '_shared' : ''}(${key})`);

export const divisionByZero = '22012';
/** Index of the condition of `writeIf` among the steps of its request: after the start and the lock. */
const guardStep = 2;

/** The condition of a transaction: fails when its statement finds no row. */
export const toGuard = (text: string, values: readonly SqlValue[]): Pending => ({
  step: { text: `SELECT 1 / count(*) FROM (${text}) AS found`, values },
});

/** Whether the condition of a transaction found no row. */
export const isUnmet = (error: unknown): boolean =>
  error instanceof PostgresFailure &&
  error.failure.code === divisionByZero &&
  error.failure.step === guardStep;

/** Whether no read before the first write lacks an answer. */
export const hasAllReads = ({ reads, answers }: Transaction): boolean => reads.length === answers.length;

/** Whether the connection is lost, so that no statement needs to be sent. */
export const isGone = ({ failure }: Transaction): boolean =>
  failure !== undefined && failure.failure.kind !== 'statement';

/**
 * Drops the start of a savepoint that was not sent yet, with all later statements. Returns whether that was possible.
 */
export function forget(transaction: Transaction, begin: Pending): boolean {
  const index = transaction.pending.indexOf(begin);
  if (index === -1) return false;
  transaction.pending.length = index;
  return true;
}

export const toObjects = <Result extends object>({ columns, rows }: SessionResult): Result[] =>
  rows.map((row) => {
    const object: Record<string, SqlValue> = {};
    for (const [index, column] of columns.entries()) object[column] = row[index]!;
    return object as Result;
  });

/**
 * Optimistic transactions. Their operation first runs on results that were read without locks; when it needs a result
 * that is not there yet, it is interrupted, the missing reads are sent together, and it runs again. Once it has run to
 * its end, the whole transaction is one request: locks, a check that each result still is the same, writes, commit. No
 * lock is held while a result is on its way, so a caller that blocks its event loop cannot block others.
 */

/** Interrupts an operation that needs a result that has not been read yet. */
export class MissingResult extends Error {
  override readonly name = 'MissingResult';
  /** Whether the result depends on the operation's own writes, so that it cannot be read before. */
  readonly isDependent: boolean;

  private constructor(isDependent: boolean) {
    super('the result has not been read yet');
    this.isDependent = isDependent;
  }

  /** Two are enough: a stack trace for each interruption would be slow. */
  static readonly dependent = new MissingResult(true);
  static readonly independent = new MissingResult(false);
}

/** Result of a read without locks. */
export interface Answer {
  readonly result: SessionResult;
  /** Hash of its rows; null when there are none. */
  readonly hash: string | null;
}

const rowLock = /\bFOR NO KEY UPDATE\b/g;

/** Returns the read without its locks, with the hash of all rows as its last column. */
export const toHashedStep = ({ text, values }: SessionStep): SessionStep => ({
  text: `WITH answer AS MATERIALIZED (${text.replace(rowLock, '')}) SELECT answer.*, (SELECT md5(CAST(json_agg(answer) AS text)) FROM answer) FROM answer`,
  values: values ?? [],
});

/** Splits the result of a hashed step. */
export function toAnswer({ columns, rows, ...rest }: SessionResult): Answer {
  const result = { ...rest, columns: columns.slice(0, -1), rows: rows.map((row) => row.slice(0, -1)) };
  return { result, hash: (rows[0]?.at(-1) ?? null) as string | null };
}

/** Returns a statement that fails with a division by zero when a read, with its locks, no longer has the same rows. */
export const toCheck = ({ text, values = [] }: SessionStep, { hash }: Answer): SessionStep => ({
  text: `SELECT 1 / (CASE WHEN (SELECT md5(CAST(json_agg(answer) AS text)) FROM (${text}) AS answer) IS NOT DISTINCT FROM CAST($${values.length + 1} AS text) THEN 1 ELSE 0 END)`,
  values: [...values, hash],
});
