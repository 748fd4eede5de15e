import type { Statement } from './database.ts';

/** How a statement of a batch is sent. */
export interface PreparedUse {
  /** Empty for one that is not kept. */
  readonly name: string;
  /** Whether the session has to read its text first. */
  readonly isNew: boolean;
}

/** What a batch is sent with. */
export interface PreparedBatch {
  /** Names that the session may forget; first of all, so that it does even when a statement fails. */
  readonly closes: readonly string[];
  /** In the order of the statements. */
  readonly uses: readonly PreparedUse[];
  /** To be called once the batch is over: what a failed one has left in the session is not known. */
  readonly settle: (isDone: boolean) => void;
}

/** A statement of a request is some kilobytes in the session. */
const mostKept = 200;

/**
 * The statements that one session has read and planned, by their text: requests of the same shape differ only in their
 * values, and to read and plan a statement costs more than to carry it out (PostgreSQL, "Extended Query").
 */
export class PreparedStatements {
  readonly #isKept: boolean;
  /** By text; what was used last is last. */
  readonly #names = new Map<string, string>();
  #superfluous: string[] = [];
  #made = 0;

  /** @param isKept false where the session may be another one the next time: then nothing is kept */
  constructor({ isKept }: { readonly isKept: boolean }) {
    this.#isKept = isKept;
  }

  begin(statements: readonly Statement[]): PreparedBatch {
    const made = new Map<string, string>();
    const uses = statements.map(({ text, values }): PreparedUse => {
      // Without values it says what is done to the session, which is quickly read.
      if (values.length === 0 || !this.#isKept) return { name: '', isNew: true };
      const known = this.#names.get(text);
      if (known !== undefined) {
        this.#names.delete(text);
        this.#names.set(text, known);
      }
      const name = known ?? made.get(text);
      if (name !== undefined) return { name, isNew: false };
      this.#made += 1;
      made.set(text, `s${this.#made}`);
      return { name: `s${this.#made}`, isNew: true };
    });
    const closes = this.#superfluous;
    this.#superfluous = [];
    const settle = (isDone: boolean): void => {
      if (isDone) this.#keep(made);
      else this.#superfluous.push(...made.values());
    };
    return { closes, uses, settle };
  }

  /** After the session has forgotten them all. */
  forget(): void {
    this.#names.clear();
    this.#superfluous = [];
  }

  #keep(made: ReadonlyMap<string, string>): void {
    for (const [text, name] of made) this.#names.set(text, name);
    for (const [text, name] of this.#names) {
      if (this.#names.size <= mostKept) return;
      this.#names.delete(text);
      this.#superfluous.push(name);
    }
  }
}

/** Whether a session no longer knows a statement: a function may have it forget all (`DEALLOCATE ALL`). */
export const isForgotten = (failure: unknown): boolean =>
  typeof failure === 'object' && failure !== null && 'code' in failure && failure.code === '26000';
