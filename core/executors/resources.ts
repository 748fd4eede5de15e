/** Something that steps of one run share, such as a connection, and how it is given back. */
export interface RunResource<Value> {
  readonly value: Value;
  /** Called once, when the run has ended, whatever its end. Must not reject. */
  close(): Promise<void>;
}

/** What the steps of one run share beyond their values: made when first asked for, closed when the run has ended. */
export class RunResources {
  readonly #open = new Map<string, Promise<RunResource<unknown>>>();

  /**
   * The resource with this key, made by `open` unless it is there already. What `open` rejects with is passed on, and
   * the next one who asks tries again. The same key must always mean the same type.
   */
  async get<Value>(key: string, open: () => Promise<RunResource<Value>>): Promise<Value> {
    const known = this.#open.get(key) as Promise<RunResource<Value>> | undefined;
    if (known !== undefined) return (await known).value;
    const opening = open();
    this.#open.set(key, opening);
    try {
      return (await opening).value;
    } catch (thrown) {
      this.#open.delete(key);
      throw thrown;
    }
  }

  /** Forgets a resource that is of no use any more, a broken connection for instance; the caller has closed it. */
  forget(key: string): void {
    this.#open.delete(key);
  }

  /** Closes all, the last one opened first. Never rejects. */
  async close(): Promise<void> {
    const opened = [...this.#open.values()].toReversed();
    this.#open.clear();
    for (const opening of opened) {
      try {
        await (await opening).close();
      } catch {
        // One that could not be opened has nothing to close; one that cannot be closed must not keep the others open.
      }
    }
  }
}
