import { readFileSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../base/errors.ts';
import type { OperationOutput } from '../../contract/operations.ts';
import { namePlaceholder, type Pronoun, type QuoteStructure } from '../../model/quote.ts';

type QuoteView = OperationOutput<'quotes.random'>;
type PersonalQuoteView = OperationOutput<'quotes.personalized'>;
type QuoteList = OperationOutput<'quotes.list'>;

/** A quote that can be about any subject. */
export interface PersonalQuote {
  readonly id: string;
  readonly text: string;
  readonly structure: QuoteStructure;
}

/** A quote with its id, as it is returned. */
export interface FixedQuote {
  readonly id: string;
  readonly view: QuoteView;
}

/** The subject of a quote. */
export interface Subject {
  /** As returned by {@link readName}. */
  readonly name: string;
  readonly pronoun: Pronoun;
}

/** All quotes. Returns the same objects each time. */
export class QuoteCollection {
  readonly list: QuoteList;
  readonly generic: readonly FixedQuote[];
  readonly #personal: readonly PersonalQuote[];
  readonly #byId: ReadonlyMap<string, FixedQuote | PersonalQuote>;
  readonly #removed: QuoteData['removed'];
  readonly #random: () => number;

  /** @param random returns a number from 0 (inclusive) to 1 (exclusive) */
  constructor({ generic, personalized, removed, structures }: QuoteData, random: () => number = Math.random) {
    this.generic = generic.map(({ id, text }) => ({
      id,
      view: { message: text, nlp_attributes: { quote_structure: getStructure(structures, id) } },
    }));
    this.#personal = personalized.map((quote) => ({
      ...quote,
      structure: getStructure(structures, quote.id),
    }));
    this.#byId = new Map([...this.generic, ...this.#personal].map((quote) => [quote.id, quote]));
    this.#removed = removed;
    this.#random = random;
    this.list = {
      messages: {
        personalized: personalized.map(({ text }) => text),
        non_personalized: generic.map(({ text }) => text),
      },
    };
  }

  /** Picks a quote without a subject. */
  pickGeneric(): FixedQuote {
    return this.#pick(this.generic);
  }

  /** Picks a quote that can be about any subject. */
  pickPersonal(): PersonalQuote {
    return this.#pick(this.#personal);
  }

  /**
   * Returns a quote.
   * @throws `gone` if it was removed, `not_found` if it never existed
   */
  find(id: string): FixedQuote | PersonalQuote {
    const quote = this.#byId.get(id);
    if (quote !== undefined) return quote;
    const removed = this.#removed.find((tombstone) => tombstone.id === id);
    if (removed !== undefined)
      throw new AppError('gone', `Quote ${id} was removed on ${removed.on}: ${removed.reason}`);
    throw new AppError(
      'not_found',
      `Quote ${JSON.stringify(id)} not found. Quote IDs look like g-012 and p-012.`,
    );
  }

  #pick<Quote>(quotes: readonly Quote[]): Quote {
    return quotes[Math.floor(this.#random() * quotes.length)]!;
  }
}

/**
 * Inserts a subject into a quote; the name counts as one word. A name that starts with a word such as `the` is
 * capitalized at the start of a sentence; other names keep their case.
 */
export function personalize(
  { text, structure }: PersonalQuote,
  { name, pronoun }: Subject,
): PersonalQuoteView {
  const first = isPhrase.test(name) ? name[0]!.toUpperCase() + name.slice(1) : name;
  const message = text.replaceAll(namePlaceholder, (_, at: number) =>
    sentenceStart.test(text.slice(0, at)) ? first : name,
  );
  const quote_structure = structure.map(({ kind, words }) => ({
    kind,
    words: words.map(({ word, tag }, index) => ({
      word: word.replace(namePlaceholder, () => (index === 0 ? first : name)),
      tag,
    })),
  }));
  return { message, nickname: name, nlp_attributes: { pronoun, quote_structure } };
}

const isPhrase = /^(?:the|an?|my|our|your|this|that|these|those|all|every) /;
/** Matches the text before the start of a sentence. */
const sentenceStart = /(?:^|[.!?] )$/;

function getStructure(
  structures: QuoteData['structures'],
  id: string,
): QuoteView['nlp_attributes']['quote_structure'] {
  const structure = structures[id];
  if (structure === undefined) throw new Error(`missing structure of quote ${id}; run "npm run generate"`);
  return structure.map(({ kind, words }) => ({ kind, words: [...words] }));
}

/** A quote in the source file (resources/quotes/quotes.schema.json). */
export interface AuthoredQuote {
  readonly id: string;
  /** With `{name}` for the subject. */
  readonly text: string;
}

/** A removed quote. */
export interface RemovedQuote {
  readonly id: string;
  /** Date of its removal, such as `2026-11-22`. */
  readonly on: string;
  readonly reason: string;
}

/** Content of the source file. */
export interface AuthoredQuotes {
  readonly generic: readonly AuthoredQuote[];
  readonly personalized: readonly AuthoredQuote[];
  readonly removed: readonly RemovedQuote[];
}

/** Quotes, and the structure of each by its id. */
interface QuoteData extends AuthoredQuotes {
  readonly structures: Readonly<Record<string, QuoteStructure>>;
}

// Bundles are two folders below the root, this file three.
const root = import.meta.url.endsWith('.ts') ? '../../..' : '../..';
const folder = path.join(import.meta.dirname, root, 'resources/quotes');

const readJson = (file: string): unknown => JSON.parse(readFileSync(path.join(folder, file), 'utf8'));

/** Reads the bundled quotes; `npm run generate` computes their structures. */
export const readQuoteData = (): QuoteData => ({
  ...(readJson('quotes.json') as AuthoredQuotes),
  structures: readJson('structures.json') as QuoteData['structures'],
});
