/** A resource that steps of one run share, such as a connection, with its clean-up function. */
export interface RunResource<Value> {
  readonly value: Value;
  /** Called once at the end of the run, whatever its result. Must not reject. */
  close(): Promise<void>;
}

/** Resources that the steps of one run share: created on first use, closed at the end of the run. */
export class RunResources {
  readonly #open = new Map<string, Promise<RunResource<unknown>>>();

  /**
   * Returns the resource with this key, and creates it with `open` if it does not exist. If `open` rejects, the error
   * is passed on and the next call tries again. A key must always have the same type.
   */
  async get<Value>(key: string, open: () => Promise<RunResource<Value>>): Promise<Value> {
    const known = this.#open.get(key) as Promise<RunResource<Value>> | undefined;
    if (known !== undefined) return (await known).value;
    const opening = open();
    this.#open.set(key, opening);
    try {
      return (await opening).value;
    } catch (error) {
      this.#open.delete(key);
      throw error;
    }
  }

  /** Removes an unusable resource, for example a broken connection. The caller has closed it. */
  forget(key: string): void {
    this.#open.delete(key);
  }

  /** Closes all resources in reverse order. Never rejects. */
  async close(): Promise<void> {
    const opened = [...this.#open.values()].toReversed();
    this.#open.clear();
    for (const opening of opened) {
      try {
        await (await opening).close();
      } catch {
        // A resource that failed to open needs no closing, and a resource that fails to close must not keep the others
        // open.
      }
    }
  }
}
