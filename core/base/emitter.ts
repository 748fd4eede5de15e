import type { Dispose } from './clock.ts';

/** A typed list of listeners. A listener that throws does not prevent the others from being called. */
export class Emitter<Item> {
  readonly #listeners = new Set<(item: Item) => void>();
  readonly #onListenerError: (error: unknown) => void;

  constructor(onListenerError: (error: unknown) => void) {
    this.#onListenerError = onListenerError;
  }

  subscribe(listener: (item: Item) => void): Dispose {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(item: Item): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(item);
      } catch (error) {
        this.#onListenerError(error);
      }
    }
  }

  get size(): number {
    return this.#listeners.size;
  }
}

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
