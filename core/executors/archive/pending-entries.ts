/** Maximum number of concurrent small writes; Node's thread pool has four threads. */
const max = 8;

/** Runs a few tasks in parallel; tasks with the same key run one after the other. */
export class PendingEntries {
  readonly #running = new Map<string, Promise<void>>();

  /**
   * Starts a task when there is a free slot.
   * @param task must not reject
   */
  async start(key: string, task: () => Promise<void>): Promise<void> {
    while (this.#running.has(key)) await this.#running.get(key);
    while (this.#running.size >= max) await Promise.race(this.#running.values());
    const running = task().finally(() => this.#running.delete(key));
    this.#running.set(key, running);
  }

  /** Resolves when no task is running. */
  async waitForAll(): Promise<void> {
    await Promise.all(this.#running.values());
  }
}
