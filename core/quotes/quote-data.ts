import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { QuoteStructure } from '../model/quote.ts';

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
export interface QuoteData extends AuthoredQuotes {
  readonly structures: Readonly<Record<string, QuoteStructure>>;
}

const folder = path.join(import.meta.dirname, '../../resources/quotes');

const readJson = (file: string): unknown => JSON.parse(readFileSync(path.join(folder, file), 'utf8'));

/** Reads the bundled quotes; `npm run generate` computes their structures. */
export const readQuoteData = (): QuoteData => ({
  ...(readJson('quotes.json') as AuthoredQuotes),
  structures: readJson('structures.json') as QuoteData['structures'],
});
