/** A map that removes the least recently used entries when it holds too much. */
export class LruCache<Key, Value> {
  /** In the order of their last use. */
  readonly #entries = new Map<Key, Value>();
  readonly #max: number;
  readonly #sizeOf: (value: Value) => number;
  #total = 0;

  /**
   * @param max maximum total size; the newest entry stays whatever its size
   * @param sizeOf returns the size of a value, always the same. Default: 1, so that `max` is a number of entries
   */
  constructor(max: number, sizeOf: (value: Value) => number = () => 1) {
    this.#max = max;
    this.#sizeOf = sizeOf;
  }

  /** Number of entries. */
  get size(): number {
    return this.#entries.size;
  }

  /** Returns a value, which counts as a use. */
  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  /** Returns a value without using it. */
  peek(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: Key, value: Value): void {
    this.delete(key);
    this.#entries.set(key, value);
    this.#total += this.#sizeOf(value);
    for (const oldest of this.#entries.keys()) {
      if (this.#total <= this.#max || oldest === key) return;
      this.delete(oldest);
    }
  }

  delete(key: Key): void {
    const value = this.#entries.get(key);
    if (value === undefined) return;
    this.#entries.delete(key);
    this.#total -= this.#sizeOf(value);
  }
}
