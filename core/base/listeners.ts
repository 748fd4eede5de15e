import type { Dispose } from './clock.ts';

/** A set of listeners. If a listener throws, the error reaches the caller of `tell`. */
export class Listeners<Item = void> {
  readonly #all = new Set<(item: Item) => void>();

  readonly add = (listener: (item: Item) => void): Dispose => {
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  };

  /** Notifies all current listeners; listeners added or removed meanwhile have no effect. */
  notify(item: Item): void {
    for (const listener of [...this.#all]) listener(item);
  }
}
