/** Unique aliases for FROM items within a statement, because a level may refer to any level above. */
export class Aliases {
  readonly #taken: string;
  #count = 0;

  /** @param taken alias of the root, which is the relation name so that PostgreSQL messages are readable */
  constructor(taken: string) {
    this.#taken = taken;
  }

  next(name: string): string {
    // PostgreSQL truncates names at 63 bytes, which could make two equal.
    const stem = /^\w{1,40}$/.test(name) ? name : 'rows';
    this.#count += 1;
    const alias = `${stem}_${this.#count}`;
    return alias === this.#taken ? this.next(name) : alias;
  }
}
