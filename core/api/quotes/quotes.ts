import type { OperationOutput } from '../../contract/operations.ts';
import { AppError } from '../../base/errors.ts';
import { truncate } from '../../base/text.ts';
import { Pronouns } from './pronouns.ts';
import {
  personalize,
  QuoteCollection,
  type FixedQuote,
  type PersonalQuote,
  readQuoteData,
} from './quote-collection.ts';

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
