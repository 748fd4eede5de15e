/** Names for what stands in FROM, each once in a statement: a level may ask for values of any level above. */
export class Aliases {
  readonly #taken: string;
  #count = 0;

  /** @param taken name of the root, which is its relation's so that messages of PostgreSQL can be understood */
  constructor(taken: string) {
    this.#taken = taken;
  }

  next(name: string): string {
    // PostgreSQL cuts names at 63 bytes, and two may be alike up to there.
    const stem = /^\w{1,40}$/.test(name) ? name : 'rows';
    this.#count += 1;
    const alias = `${stem}_${this.#count}`;
    return alias === this.#taken ? this.next(name) : alias;
  }
}
