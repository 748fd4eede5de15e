import { type Statement, type StatementResult, DatabaseError } from '../../store/sql/database.ts';
import { splitScript } from '../../store/sql/split-script.ts';

/** A statement to send. */
export interface SentStatement extends Statement {
  /** Whether the statement is cached although it has no values, such as those that start every transaction. */
  readonly isUsual?: boolean;
}

/** Result columns of a statement. For a prepared statement they never change; PostgreSQL reports an error instead. */
export type ResultShape = Pick<StatementResult, 'columns' | 'typeIds'>;

/** Prepared statement of a batch. */
export interface StatementUse {
  /** Empty for an unnamed statement. */
  readonly name: string;
  /** Whether the session must parse the statement first. */
  readonly isNew: boolean;
  /** Known column description, so that it is not requested again. */
  readonly shape?: ResultShape;
}

/** Prepared statements of a batch. */
export interface PreparedBatch {
  /** Names of statements to close, before all else, so that they are closed even if a statement fails. */
  readonly closes: readonly string[];
  /** In the order of the statements. */
  readonly uses: readonly StatementUse[];
  /**
   * Call this after the batch, with the results of the completed statements. Whether the session has parsed the failed
   * statement and the following ones is unknown.
   */
  readonly settle: (results: readonly StatementResult[]) => void;
}

interface CachedStatement {
  /** Reused object, to avoid one allocation per request. */
  readonly use: StatementUse & { readonly isNew: false };
  /** Value of the use counter at the last use. */
  usedAt: number;
}

/** Maximum number of cached statements. Each takes some kilobytes in the session. */
const maxCached = 200;

/**
 * Prepared statements of one session, by SQL. Requests of the same shape differ only in their values, and parsing and
 * planning a statement costs more than executing it (PostgreSQL, "Extended Query").
 */
export class PreparedStatements {
  readonly #isPersistent: boolean;
  /** Entries are not deleted and inserted again on each use, because this makes a map accumulate long-lived garbage. */
  readonly #cached = new Map<string, CachedStatement>();
  #evicted: string[] = [];
  #made = 0;
  #uses = 0;

  /** @param isPersistent false if the session may change between batches; disables caching */
  constructor({ isPersistent }: { readonly isPersistent: boolean }) {
    this.#isPersistent = isPersistent;
  }

  begin(statements: readonly SentStatement[]): PreparedBatch {
    const newNames = new Map<string, string>();
    const uses = statements.map((statement) => this.#use(statement, newNames));
    const closes = this.#takeEvicted();
    if (newNames.size === 0) return { closes, uses, settle: ignore };
    return { closes, uses, settle: (results) => this.#keep(statements, uses, results) };
  }

  /**
   * Discards all statements after the session did. Statements that still exist are closed, and closing a missing
   * statement is not an error.
   */
  forget(): void {
    for (const { use } of this.#cached.values()) this.#evicted.push(use.name);
    this.#cached.clear();
  }

  #use({ text, values, isUsual }: SentStatement, newNames: Map<string, string>): StatementUse {
    // Statements without values control the session and are quick to parse.
    if (!this.#isPersistent || (values.length === 0 && isUsual !== true)) return unprepared;
    const known = this.#cached.get(text);
    if (known !== undefined) {
      known.usedAt = this.#uses += 1;
      return known.use;
    }
    const twice = newNames.get(text);
    if (twice !== undefined) return { name: twice, isNew: false };
    this.#made += 1;
    const name = `s${this.#made}`;
    newNames.set(text, name);
    return { name, isNew: true };
  }

  #takeEvicted(): readonly string[] {
    if (this.#evicted.length === 0) return none;
    const taken = this.#evicted;
    this.#evicted = [];
    return taken;
  }

  #keep(
    statements: readonly Statement[],
    uses: readonly StatementUse[],
    results: readonly StatementResult[],
  ): void {
    for (const [index, { name, isNew }] of uses.entries()) {
      if (name === '' || !isNew) continue;
      const result = results[index];
      if (result === undefined) this.#evicted.push(name);
      else {
        const use = { name, isNew: false, shape: toShape(result) } as const;
        this.#cached.set(statements[index]!.text, { use, usedAt: (this.#uses += 1) });
      }
    }
    while (this.#cached.size > maxCached) this.#dropOldest();
  }

  #dropOldest(): void {
    let oldest: { readonly text: string; readonly cached: CachedStatement } | undefined;
    for (const [text, cached] of this.#cached)
      if (oldest === undefined || cached.usedAt < oldest.cached.usedAt) oldest = { text, cached };
    if (oldest === undefined) return;
    this.#cached.delete(oldest.text);
    this.#evicted.push(oldest.cached.use.name);
  }
}

const none: readonly string[] = [];
const unprepared: StatementUse = { name: '', isNew: true };
const ignore = (): void => undefined;

const toShape = ({ columns, typeIds }: StatementResult): ResultShape => ({
  columns,
  ...(typeIds && { typeIds }),
});

/**
 * Whether a statement must be prepared again, after `DEALLOCATE ALL` or a table change that affects its result
 * columns.
 */
export function needsReprepare(failure: unknown): boolean {
  const { code, message } = (failure ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  return code === '26000' || (code === '0A000' && message === 'cached plan must not change result type');
}

/** SQL that discards all prepared statements of a session. */
export const deallocateAll = 'DEALLOCATE ALL';

/** Resets the session, so that a script does not affect later statements. */
export const forgetSession: readonly string[] = [
  'ROLLBACK',
  'CLOSE ALL',
  'RESET SESSION AUTHORIZATION',
  'RESET ALL',
  deallocateAll,
  'SELECT pg_advisory_unlock_all()',
  'DISCARD TEMP',
];

/**
 * Runs the statements of a script one by one, each in its own transaction unless the script begins one. Stops at the
 * first error, which contains the line and the position in the script.
 */
export async function runStatements(
  sql: string,
  run: (statement: Statement) => Promise<StatementResult>,
): Promise<StatementResult[]> {
  const results: StatementResult[] = [];
  for (const { text, start } of splitScript(sql)) {
    // Newer versions of pg_dump wrap scripts in these psql commands.
    if (/^\\(un)?restrict\b/.test(text)) continue;
    try {
      if (text.startsWith('\\')) throw metaCommandError(text);
      results.push(await run({ text, values: [] }));
    } catch (error) {
      throw error instanceof DatabaseError ? withStatementPosition(error, sql, start) : error;
    }
  }
  return results;
}

function withStatementPosition(error: DatabaseError, sql: string, start: number): DatabaseError {
  // PostgreSQL counts code points, JavaScript counts UTF-16 code units.
  const before = sql.slice(0, start);
  const position = [...before].length + (error.position ?? 1);
  const line = [...sql].slice(0, position - 1).filter((character) => character === '\n').length + 1;
  const { code, detail, hint } = error;
  return new DatabaseError(`line ${line}: ${error.message}`, { code, detail, hint, position });
}

const metaCommandError = (text: string): DatabaseError =>
  new DatabaseError(`"${text.split(/\s/, 1)[0]}" is a psql meta-command, not SQL`, {
    code: '42601',
    hint: 'Remove it, or run the script with psql on a PostgreSQL server.',
  });
