// A file of its own: for all parts of the engine that read, decide and write asynchronously.

/** Runs asynchronous work one at a time, in the order of the calls. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs the work after that of earlier calls, whether they succeed or fail. */
  take<Value>(work: () => Promise<Value>): Promise<Value> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
