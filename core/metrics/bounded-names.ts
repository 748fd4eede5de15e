/** Label value of all names beyond the limit. */
export const otherLabel = 'other';

/**
 * Limits the values of a label: the first names as they are, later ones as `other`. Each label value is a permanent
 * time series in Prometheus, and users can create any number of queues.
 */
export class BoundedNames {
  readonly #max: number;
  readonly #names = new Set<string>();

  constructor(max: number) {
    this.#max = max;
  }

  labelOf(name: string): string {
    if (this.#names.has(name)) return name;
    if (this.#names.size >= this.#max) return otherLabel;
    this.#names.add(name);
    return name;
  }

  /** Returns the names that have their own label value. */
  list(): readonly string[] {
    return [...this.#names];
  }
}
