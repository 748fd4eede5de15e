/** Stands for every name beyond the bound. */
export const otherName = 'other';

/**
 * Names as values of a label: the first few by themselves, all later ones as `other`. Each value of a label is a series
 * that whoever scrapes keeps for good, and names of queues are as many as people like.
 */
export class BoundedNames {
  readonly #most: number;
  readonly #names = new Set<string>();

  constructor(most: number) {
    this.#most = most;
  }

  labelOf(name: string): string {
    if (this.#names.has(name)) return name;
    if (this.#names.size >= this.#most) return otherName;
    this.#names.add(name);
    return name;
  }

  /** Every name that has a label of its own so far. */
  list(): readonly string[] {
    return [...this.#names];
  }
}
