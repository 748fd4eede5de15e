import type { Statement, StatementResult } from './database.ts';

/** A statement as it is sent. */
export interface SentStatement extends Statement {
  /** Whether the session keeps it though it has no values, as those that every transaction begins with. */
  readonly isUsual?: boolean;
}

/** What a statement gives back; of one that a session keeps it never changes (PostgreSQL refuses it then). */
export type ResultShape = Pick<StatementResult, 'columns' | 'typeIds'>;

/** How a statement of a batch is sent. */
export interface PreparedUse {
  /** Empty for one that is not kept. */
  readonly name: string;
  /** Whether the session has to read its text first. */
  readonly isNew: boolean;
  /** Known from an earlier time: then nobody has to ask for it. */
  readonly shape?: ResultShape;
}

/** What a batch is sent with. */
export interface PreparedBatch {
  /** Names that the session may forget; first of all, so that it does even when a statement fails. */
  readonly closes: readonly string[];
  /** In the order of the statements. */
  readonly uses: readonly PreparedUse[];
  /**
   * To be called once the batch is over, with the results of the statements that were carried out: whether the session
   * knows the one that failed, and those behind it, is not known.
   */
  readonly settle: (results: readonly StatementResult[]) => void;
}

interface Kept {
  /** Handed out as it is: one that was made for each batch would be garbage of every request. */
  readonly use: PreparedUse & { readonly isNew: false };
  /** By the count of uses. */
  usedAt: number;
}

/** A statement of a request is some kilobytes in the session. */
const mostKept = 200;

/**
 * The statements that one session has read and planned, by their text: requests of the same shape differ only in their
 * values, and to read and plan a statement costs more than to carry it out (PostgreSQL, "Extended Query").
 */
export class PreparedStatements {
  readonly #isKept: boolean;
  /** By text. Nothing is taken out to be put in again, which makes a map grow garbage that outlives many collections. */
  readonly #kept = new Map<string, Kept>();
  #superfluous: string[] = [];
  #made = 0;
  #uses = 0;

  /** @param isKept false where the session may be another one the next time: then nothing is kept */
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

  /** After the session has forgotten them; those that it has not are closed, which is no mistake for the others. */
  forget(): void {
    for (const { use } of this.#kept.values()) this.#superfluous.push(use.name);
    this.#kept.clear();
  }

  #use({ text, values, isUsual }: SentStatement, made: Map<string, string>): PreparedUse {
    // Without values it says what is done to the session, which is quickly read.
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
    while (this.#kept.size > mostKept) this.#dropOldest();
  }

  #dropOldest(): void {
    let oldest: { readonly text: string; readonly kept: Kept } | undefined;
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
 * Whether a statement has to be read anew: a function had the session forget all of them (`DEALLOCATE ALL`), or a table
 * has been changed, so that the statement would give back other columns.
 */
export function isForgotten(failure: unknown): boolean {
  const { code, message } = (failure ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  return code === '26000' || (code === '0A000' && message === 'cached plan must not change result type');
}
