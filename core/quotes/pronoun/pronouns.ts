import { Worker } from 'node:worker_threads';
import type { Pronoun } from '../../model/quote.ts';
import type { PronounAnswer, PronounQuestion } from './pronoun-question.ts';

/** Names whose pronoun is remembered; beyond, the one that was asked for longest ago is forgotten. */
export const mostRemembered = 5000;
/** Names that may wait for the thread; others get the pronoun of doubt at once. */
const mostWaiting = 1000;
/** Memory of the thread. */
const heapLimitMb = 128;

const doubt: Pronoun = 'they';

/** As a source file, or as built for the folder beside the one of the engine's bundle. */
const placeThread = (): URL =>
  import.meta.url.endsWith('.ts')
    ? new URL('./pronoun-thread.ts', import.meta.url)
    : new URL('../pronouns/thread.cjs', import.meta.url);

/** Guesses pronouns in a thread, which begins with the first name and keeps no process alive but while it works. */
export class Pronouns {
  readonly #known = new Map<string, Pronoun>();
  readonly #waiting = new Map<number, (pronoun: Pronoun) => void>();
  #thread: Worker | undefined;
  #lastId = 0;

  /** Never rejects: without a guess it is `they`. */
  async guess(name: string): Promise<Pronoun> {
    const known = this.#known.get(name);
    if (known === undefined) return this.#waiting.size < mostWaiting ? this.#ask(name) : doubt;
    this.#known.delete(name);
    this.#known.set(name, known);
    return known;
  }

  /** Ends the thread; the next name begins another one. */
  async close(): Promise<void> {
    await this.#thread?.terminate();
  }

  #ask(name: string): Promise<Pronoun> {
    const thread = (this.#thread ??= this.#begin());
    const id = (this.#lastId += 1);
    return new Promise((resolve) => {
      this.#waiting.set(id, (pronoun) => {
        this.#remember(name, pronoun);
        resolve(pronoun);
      });
      thread.ref();
      thread.postMessage({ id, name } satisfies PronounQuestion);
    });
  }

  #remember(name: string, pronoun: Pronoun): void {
    this.#known.set(name, pronoun);
    const oldest = this.#known.keys().next();
    if (this.#known.size > mostRemembered && oldest.done !== true) this.#known.delete(oldest.value);
  }

  #begin(): Worker {
    const thread = new Worker(placeThread(), {
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: heapLimitMb },
    });
    thread.unref();
    thread.on('message', ({ id, pronoun = doubt }: PronounAnswer) => {
      const settle = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) thread.unref();
      settle?.(pronoun);
    });
    thread.on('error', () => {});
    thread.on('exit', () => {
      if (this.#thread === thread) this.#thread = undefined;
      const settles = [...this.#waiting.values()];
      this.#waiting.clear();
      for (const settle of settles) settle(doubt);
    });
    return thread;
  }
}
