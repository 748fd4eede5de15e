import { LruCache } from '../../base/lru-cache.ts';
import { Worker } from 'node:worker_threads';
import type { Pronoun } from '../../model/quote.ts';
import type { OperationOutput } from '../../contract/operations.ts';
import { AppError } from '../../base/errors.ts';
import { truncate } from '../../base/text.ts';
import type { PronounAnswer, PronounQuestion } from './pronoun-thread.ts';
import {
  personalize,
  QuoteCollection,
  type FixedQuote,
  type PersonalQuote,
  readQuoteData,
} from './quote-collection.ts';

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
  readonly #known = new LruCache<string, Pronoun>(maxRemembered);
  readonly #waiting = new Map<number, (pronoun: Pronoun) => void>();
  #thread: Worker | undefined;
  #lastId = 0;

  /** Returns the pronoun of a name, `they` if the guess fails. Never rejects. */
  async guess(name: string): Promise<Pronoun> {
    const known = this.#known.get(name);
    if (known === undefined) return this.#waiting.size < maxWaiting ? this.#ask(name) : fallbackPronoun;
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
        this.#known.set(name, pronoun);
        resolve(pronoun);
      });
      thread.ref();
      thread.postMessage({ id, name } satisfies PronounQuestion);
    });
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

/** A quote with the id of its location. */
export interface QuoteReply<View> {
  readonly id: string;
  readonly view: View;
}

type PersonalView = OperationOutput<'quotes.personalized'>;

/** The quotes service, for all transports. */
export class Quotes {
  readonly collection: QuoteCollection;
  readonly #pronouns: Pick<Pronouns, 'guess'>;

  constructor(collection: QuoteCollection, pronouns: Pick<Pronouns, 'guess'>) {
    this.collection = collection;
    this.#pronouns = pronouns;
  }

  /** Returns a quote without a subject. */
  random(): FixedQuote {
    return this.collection.pickGeneric();
  }

  /** Returns a quote about a subject. Rejects with `bad_request` for an invalid name. */
  personalized(userName: string): Promise<QuoteReply<PersonalView>> {
    return this.#notify(this.collection.pickPersonal(), userName);
  }

  /**
   * Returns a quote by ID. Rejects with `not_found`, `gone` or `bad_request`.
   * @param userName subject; required for personalized quotes, not allowed for others
   */
  async find(id: string, userName: string | undefined): Promise<QuoteReply<OperationOutput<'quotes.get'>>> {
    const quote = this.collection.find(id);
    if ('text' in quote) {
      if (userName === undefined)
        throw queryError(`Quote ${id} is personalized and requires the parameter q, such as ?q=Ada.`);
      return this.#notify(quote, userName);
    }
    if (userName !== undefined)
      throw queryError(`Quote ${id} is not personalized and does not accept the parameter q.`);
    return quote;
  }

  async #notify(quote: PersonalQuote, userName: string): Promise<QuoteReply<PersonalView>> {
    const name = readName(userName);
    const pronoun = await this.#pronouns.guess(name);
    return { id: quote.id, view: personalize(quote, { name, pronoun }) };
  }
}

const queryError = (message: string): AppError =>
  new AppError('bad_request', message, { details: { field: 'q' } });

/** Opens the bundled quotes. */
export const openQuotes = (pronouns: Pick<Pronouns, 'guess'> = new Pronouns()): Quotes =>
  new Quotes(new QuoteCollection(readQuoteData()), pronouns);

/** Maximum length of a subject's name in characters. */
export const maxNameLength = 80;

const allowed = /^[\p{L}\p{M}\p{N} .,\-_+#/:!?@()\u2019]*$/u;
const hasSubstance = /[\p{L}\p{N}]/u;
/** More combining marks on one letter than any script has, such as text that extends out of its line. */
const stackedMarks = /\p{M}{5}/u;

/**
 * Normalizes the name of a subject to a form that is safe in JSON, HTML and attributes with either quotation mark:
 * composed, with single spaces and typographic apostrophes.
 * @throws `bad_request` naming the field `q`
 */
export function readName(input: string): string {
  const name = input
    .normalize('NFC')
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .replaceAll(/['\u2018]/g, '\u2019');
  if (name === '') throw queryError(`The name is empty. ${advice}.`);
  const { length } = [...name];
  if (length > maxNameLength)
    throw queryError(`The name has ${length} characters. The limit is ${maxNameLength}.`);
  if (!allowed.test(name) || stackedMarks.test(name))
    throw queryError(
      `Invalid name ${show(name)}. Use letters, digits, spaces and . , - _ + # / : ! ? @ ( ) '`,
    );
  if (!hasSubstance.test(name))
    throw queryError(`The name ${show(name)} has no letters or digits. ${advice}.`);
  return name;
}

/** Advice for a missing or empty name. */
export const advice = 'Set the subject of the quote';

const show = (name: string): string => truncate(JSON.stringify(name), 60);
