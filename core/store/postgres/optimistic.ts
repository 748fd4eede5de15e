import type { SessionResult, SessionStep } from './messages.ts';

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

  constructor(isDependent: boolean) {
    super('the result has not been read yet');
    this.isDependent = isDependent;
  }
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
