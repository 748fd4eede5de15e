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
