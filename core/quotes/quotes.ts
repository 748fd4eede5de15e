import type { OperationOutput } from '../contract/operations.ts';
import { Pronouns } from './pronoun/pronouns.ts';
import { personalize, QuoteBook, type FixedQuote, type PersonalQuote } from './quote-book.ts';
import { readQuoteData } from './quote-data.ts';
import { readName } from './read-name.ts';
import { AppError } from '../base/errors.ts';

/** A quote, and the id under which it is found again. */
export interface Told<View> {
  readonly id: string;
  readonly view: View;
}

type PersonalView = OperationOutput<'quotes.personalized'>;

/** The quotes service, whatever way it is asked. */
export class Quotes {
  readonly book: QuoteBook;
  readonly #pronouns: Pick<Pronouns, 'guess'>;

  constructor(book: QuoteBook, pronouns: Pick<Pronouns, 'guess'>) {
    this.book = book;
    this.#pronouns = pronouns;
  }

  /** About nobody in particular. */
  random(): FixedQuote {
    return this.book.pickGeneric();
  }

  /** About somebody. Rejects with `bad_request` for a name that is none. */
  personalized(given: string): Promise<Told<PersonalView>> {
    return this.#tell(this.book.pickPersonal(), given);
  }

  /**
   * A certain one. Rejects with `not_found`, `gone` or `bad_request`.
   * @param given whom it is to be about; personalised quotes need that, others take none
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

/** The quotes that come with the product. */
export const openQuotes = (pronouns: Pick<Pronouns, 'guess'> = new Pronouns()): Quotes =>
  new Quotes(new QuoteBook(readQuoteData()), pronouns);
