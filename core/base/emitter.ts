import type { Dispose } from './clock.ts';

/** A typed list of listeners. A listener that throws does not prevent the others from being called. */
export class Emitter<Item> {
  readonly #listeners = new Set<(item: Item) => void>();
  readonly #onListenerError: (thrown: unknown) => void;

  constructor(onListenerError: (thrown: unknown) => void) {
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
      } catch (thrown) {
        this.#onListenerError(thrown);
      }
    }
  }

  get size(): number {
    return this.#listeners.size;
  }
}
