type Listener = ((...args: unknown[]) => unknown) & { listener?: unknown };

/** The `events` module of a sandboxed preload. It is injected as text and uses nothing outside itself. */
export class PageEmitter {
  readonly #listeners = new Map<string, Listener[]>();

  on(name: string, listener: Listener): this {
    this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), listener]);
    return this;
  }

  once(name: string, listener: Listener): this {
    const wrapped: Listener = (...args) => {
      this.off(name, wrapped);
      return listener.apply(this, args);
    };
    wrapped.listener = listener;
    return this.on(name, wrapped);
  }

  off(name: string, listener: Listener): this {
    const present = this.#listeners.get(name) ?? [];
    const index = present.findLastIndex((each) => each === listener || each.listener === listener);
    if (index >= 0) this.#listeners.set(name, present.toSpliced(index, 1));
    return this;
  }

  addListener(name: string, listener: Listener): this {
    return this.on(name, listener);
  }

  removeListener(name: string, listener: Listener): this {
    return this.off(name, listener);
  }

  removeAllListeners(name?: string): this {
    if (name === undefined) this.#listeners.clear();
    else this.#listeners.delete(name);
    return this;
  }

  emit(name: string, ...args: unknown[]): boolean {
    const present = this.#listeners.get(name) ?? [];
    for (const listener of present) listener.apply(this, args);
    return present.length > 0;
  }

  listenerCount(name: string): number {
    return this.#listeners.get(name)?.length ?? 0;
  }

  eventNames(): string[] {
    return [...this.#listeners.keys()];
  }

  setMaxListeners(): this {
    return this;
  }
}
