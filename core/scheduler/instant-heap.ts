/**
 * A heap of items by their due instant, the earliest first; adding or removing one costs the logarithm of their number.
 */
export class InstantHeap<Item> {
  readonly #items: { readonly at: number; readonly item: Item }[] = [];

  get size(): number {
    return this.#items.length;
  }

  /** The earliest instant, epoch milliseconds. */
  get earliest(): number | undefined {
    return this.#items[0]?.at;
  }

  add(at: number, item: Item): void {
    const items = this.#items;
    let index = items.length;
    items.push({ at, item });
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (items[parent]!.at <= at) break;
      items[index] = items[parent]!;
      index = parent;
    }
    items[index] = { at, item };
  }

  /** Removes and returns the earliest item when it is due at an instant. */
  take(now: number): Item | undefined {
    const first = this.#items[0];
    if (first === undefined || first.at > now) return undefined;
    const last = this.#items.pop()!;
    if (this.#items.length > 0) this.#sink(last);
    return first.item;
  }

  clear(): void {
    this.#items.length = 0;
  }

  #sink(moved: { readonly at: number; readonly item: Item }): void {
    const items = this.#items;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && items[child + 1]!.at < items[child]!.at) child += 1;
      if (items[child]!.at >= moved.at) break;
      items[index] = items[child]!;
      index = child;
    }
    items[index] = moved;
  }
}
