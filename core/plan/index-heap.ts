/** A min-heap of numbers; every operation is O(log n). */
export class IndexHeap {
  readonly #items: number[] = [];

  get size(): number {
    return this.#items.length;
  }

  push(item: number): void {
    const items = this.#items;
    let index = items.length;
    items.push(item);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (items[parent]! <= item) break;
      items[index] = items[parent]!;
      index = parent;
    }
    items[index] = item;
  }

  /** Removes and returns the smallest number; undefined when empty. */
  pop(): number | undefined {
    const items = this.#items;
    const minimum = items[0];
    const last = items.pop();
    if (last !== undefined && items.length > 0) this.#sink(last);
    return minimum;
  }

  /** Puts `item` at the root and moves it down to its place. */
  #sink(item: number): void {
    const items = this.#items;
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      if (left >= items.length) break;
      const right = left + 1;
      const child = right < items.length && items[right]! < items[left]! ? right : left;
      if (items[child]! >= item) break;
      items[index] = items[child]!;
      index = child;
    }
    items[index] = item;
  }
}
