import type { Dispose } from './clock.ts';

/** Who is to be told of something, until disposed. What a listener throws reaches whoever tells. */
export class Listeners<Item = void> {
  readonly #all = new Set<(item: Item) => void>();

  readonly add = (listener: (item: Item) => void): Dispose => {
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  };

  /** Those that come and go meanwhile make no difference. */
  tell(item: Item): void {
    for (const listener of [...this.#all]) listener(item);
  }
}
