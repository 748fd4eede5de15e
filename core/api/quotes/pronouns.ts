import { Worker } from 'node:worker_threads';
import type { Pronoun } from '../../model/quote.ts';
import type { PronounAnswer, PronounQuestion } from './pronoun-question.ts';

/** Maximum number of cached names; the least recently used one is evicted. */
export const maxRemembered = 5000;
/** Maximum number of names that wait for the thread; further ones get the default pronoun at once. */
const maxWaiting = 1000;
/** Memory limit of the thread in MB. */
const heapLimitMb = 128;

const fallbackPronoun: Pronoun = 'they';

/** Returns the URL of the thread's file: the source file, or the built file next to the engine bundle. */
const threadUrl = (): URL =>
  import.meta.url.endsWith('.ts')
    ? new URL('./pronoun-thread.ts', import.meta.url)
    : new URL('../pronouns/thread.cjs', import.meta.url);

/**
 * Guesses pronouns in a worker thread, which starts with the first name and keeps the process alive only while it
 * works.
 */
export class Pronouns {
  readonly #known = new Map<string, Pronoun>();
  readonly #waiting = new Map<number, (pronoun: Pronoun) => void>();
  #thread: Worker | undefined;
  #lastId = 0;

  /** Returns the pronoun of a name, `they` if the guess fails. Never rejects. */
  async guess(name: string): Promise<Pronoun> {
    const known = this.#known.get(name);
    if (known === undefined) return this.#waiting.size < maxWaiting ? this.#ask(name) : fallbackPronoun;
    this.#known.delete(name);
    this.#known.set(name, known);
    return known;
  }

  /** Ends the thread; the next name starts another one. */
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
    if (this.#known.size > maxRemembered && oldest.done !== true) this.#known.delete(oldest.value);
  }

  #begin(): Worker {
    const thread = new Worker(threadUrl(), {
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: heapLimitMb },
    });
    thread.unref();
    thread.on('message', ({ id, pronoun = fallbackPronoun }: PronounAnswer) => {
      const resolver = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) thread.unref();
      resolver?.(pronoun);
    });
    thread.on('error', () => {});
    thread.on('exit', () => {
      if (this.#thread === thread) this.#thread = undefined;
      const resolvers = [...this.#waiting.values()];
      this.#waiting.clear();
      for (const resolver of resolvers) resolver(fallbackPronoun);
    });
    return thread;
  }
}
