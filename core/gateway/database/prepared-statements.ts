import type { Statement, StatementResult } from '../../store/sql/database.ts';

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
