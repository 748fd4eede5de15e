import { AppError } from '../../base/errors.ts';

/** Maximum number of parallel jobs; each uses a core and tens of megabytes. */
const atOnce = 2;
/** Maximum number of queued jobs. */
const maxWaiting = 50;

/** Runs expensive jobs a few at a time, so that many logins do not block the engine. Throws `too_many_requests`. */
export class Mutex {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running >= atOnce) await this.#wait();
    else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  #wait(): Promise<void> {
    if (this.#waiting.length >= maxWaiting) {
      throw new AppError('too_many_requests', 'Too many logins at once. Try again in a few seconds.', {
        details: { retryAfter: 5 },
      });
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
