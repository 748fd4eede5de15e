import type { OperationOutput } from '../contract/operations.ts';
import { Pronouns } from './pronoun/pronouns.ts';
import { personalize, QuoteCollection, type FixedQuote, type PersonalQuote } from './quote-collection.ts';
import { readQuoteData } from './quote-data.ts';
import { readName } from './read-name.ts';
import { AppError } from '../base/errors.ts';

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
   * Returns a quote by id. Rejects with `not_found`, `gone` or `bad_request`.
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
