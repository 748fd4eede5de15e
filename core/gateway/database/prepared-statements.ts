import type { Statement, StatementResult } from './database.ts';

/** A statement to send. */
export interface SentStatement extends Statement {
  /** Whether the statement is cached although it has no values, such as those that start every transaction. */
  readonly isUsual?: boolean;
}

/** Result columns of a statement. For a prepared statement they never change; PostgreSQL reports an error instead. */
export type ResultShape = Pick<StatementResult, 'columns' | 'typeIds'>;

/** Prepared statement of a batch. */
export interface PreparedUse {
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
  readonly uses: readonly PreparedUse[];
  /**
   * Call this after the batch, with the results of the completed statements. Whether the session has parsed the failed
   * statement and the following ones is unknown.
   */
  readonly settle: (results: readonly StatementResult[]) => void;
}

interface CachedStatement {
  /** Reused object, to avoid one allocation per request. */
  readonly use: PreparedUse & { readonly isNew: false };
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
  readonly #isKept: boolean;
  /** Entries are not deleted and inserted again on each use, because this makes a map accumulate long-lived garbage. */
  readonly #kept = new Map<string, CachedStatement>();
  #superfluous: string[] = [];
  #made = 0;
  #uses = 0;

  /** @param isKept false if the session may change between batches; disables caching */
  constructor({ isKept }: { readonly isKept: boolean }) {
    this.#isKept = isKept;
  }

  begin(statements: readonly SentStatement[]): PreparedBatch {
    const made = new Map<string, string>();
    const uses = statements.map((statement) => this.#use(statement, made));
    const closes = this.#takeSuperfluous();
    if (made.size === 0) return { closes, uses, settle: nothingNew };
    return { closes, uses, settle: (results) => this.#keep(statements, uses, results) };
  }

  /**
   * Discards all statements after the session did. Statements that still exist are closed, and closing a missing
   * statement is not an error.
   */
  forget(): void {
    for (const { use } of this.#kept.values()) this.#superfluous.push(use.name);
    this.#kept.clear();
  }

  #use({ text, values, isUsual }: SentStatement, made: Map<string, string>): PreparedUse {
    // Statements without values control the session and are quick to parse.
    if (!this.#isKept || (values.length === 0 && isUsual !== true)) return unkept;
    const known = this.#kept.get(text);
    if (known !== undefined) {
      known.usedAt = this.#uses += 1;
      return known.use;
    }
    const twice = made.get(text);
    if (twice !== undefined) return { name: twice, isNew: false };
    this.#made += 1;
    const name = `s${this.#made}`;
    made.set(text, name);
    return { name, isNew: true };
  }

  #takeSuperfluous(): readonly string[] {
    if (this.#superfluous.length === 0) return none;
    const taken = this.#superfluous;
    this.#superfluous = [];
    return taken;
  }

  #keep(
    statements: readonly Statement[],
    uses: readonly PreparedUse[],
    results: readonly StatementResult[],
  ): void {
    for (const [index, { name, isNew }] of uses.entries()) {
      if (name === '' || !isNew) continue;
      const result = results[index];
      if (result === undefined) this.#superfluous.push(name);
      else {
        const use = { name, isNew: false, shape: shapeOf(result) } as const;
        this.#kept.set(statements[index]!.text, { use, usedAt: (this.#uses += 1) });
      }
    }
    while (this.#kept.size > maxCached) this.#dropOldest();
  }

  #dropOldest(): void {
    let oldest: { readonly text: string; readonly kept: CachedStatement } | undefined;
    for (const [text, kept] of this.#kept)
      if (oldest === undefined || kept.usedAt < oldest.kept.usedAt) oldest = { text, kept };
    if (oldest === undefined) return;
    this.#kept.delete(oldest.text);
    this.#superfluous.push(oldest.kept.use.name);
  }
}

const none: readonly string[] = [];
const unkept: PreparedUse = { name: '', isNew: true };
const nothingNew = (): void => undefined;

const shapeOf = ({ columns, typeIds }: StatementResult): ResultShape => ({
  columns,
  ...(typeIds && { typeIds }),
});

/**
 * Whether a statement must be prepared again, after `DEALLOCATE ALL` or a table change that affects its result
 * columns.
 */
export function isForgotten(failure: unknown): boolean {
  const { code, message } = (failure ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  return code === '26000' || (code === '0A000' && message === 'cached plan must not change result type');
}
