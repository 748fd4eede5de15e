import type { OperationOutput } from '../contract/operations.ts';
import { Pronouns } from './pronoun/pronouns.ts';
import { personalize, QuoteBook, type FixedQuote, type PersonalQuote } from './quote-book.ts';
import { readQuoteData } from './quote-data.ts';
import { readName } from './read-name.ts';
import { AppError } from '../base/errors.ts';

/** A quote with the id of its location. */
export interface Told<View> {
  readonly id: string;
  readonly view: View;
}

type PersonalView = OperationOutput<'quotes.personalized'>;

/** The quotes service, for all transports. */
export class Quotes {
  readonly book: QuoteBook;
  readonly #pronouns: Pick<Pronouns, 'guess'>;

  constructor(book: QuoteBook, pronouns: Pick<Pronouns, 'guess'>) {
    this.book = book;
    this.#pronouns = pronouns;
  }

  /** Returns a quote without a subject. */
  random(): FixedQuote {
    return this.book.pickGeneric();
  }

  /** Returns a quote about a subject. Rejects with `bad_request` for an invalid name. */
  personalized(given: string): Promise<Told<PersonalView>> {
    return this.#tell(this.book.pickPersonal(), given);
  }

  /**
   * Returns a quote by id. Rejects with `not_found`, `gone` or `bad_request`.
   * @param given subject; required for personalized quotes, not allowed for others
   */
  async find(id: string, given: string | undefined): Promise<Told<OperationOutput<'quotes.get'>>> {
    const quote = this.book.find(id);
    if ('text' in quote) {
      if (given === undefined)
        throw refuse(`Quote ${id} is personalized and requires the parameter q, such as ?q=Ada.`);
      return this.#tell(quote, given);
    }
    if (given !== undefined)
      throw refuse(`Quote ${id} is not personalized and does not accept the parameter q.`);
    return quote;
  }

  async #tell(quote: PersonalQuote, given: string): Promise<Told<PersonalView>> {
    const name = readName(given);
    const pronoun = await this.#pronouns.guess(name);
    return { id: quote.id, view: personalize(quote, { name, pronoun }) };
  }
}

const refuse = (message: string): AppError =>
  new AppError('bad_request', message, { details: { field: 'q' } });

/** Opens the bundled quotes. */
export const openQuotes = (pronouns: Pick<Pronouns, 'guess'> = new Pronouns()): Quotes =>
  new Quotes(new QuoteBook(readQuoteData()), pronouns);
