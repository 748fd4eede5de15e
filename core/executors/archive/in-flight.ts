/** Small writes under way at once; Node's thread pool has four threads. */
const most = 8;

/** Runs tasks side by side, a few at a time, those for the same key one after the other. */
export class InFlight {
  readonly #running = new Map<string, Promise<void>>();

  /**
   * Starts a task, once there is room for it.
   * @param task must not reject
   */
  async start(key: string, task: () => Promise<void>): Promise<void> {
    while (this.#running.has(key)) await this.#running.get(key);
    while (this.#running.size >= most) await Promise.race(this.#running.values());
    const running = task().finally(() => this.#running.delete(key));
    this.#running.set(key, running);
  }

  /** Resolves when nothing is under way any more. */
  async settle(): Promise<void> {
    await Promise.all(this.#running.values());
  }
}
