import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { QuoteStructure } from '../model/quote.ts';

/** A quote as it is written down (resources/quotes/quotes.schema.json). */
export interface WrittenQuote {
  readonly id: string;
  /** With `{name}` where it says whom it is about. */
  readonly text: string;
}

/** A quote that there is no more. */
export interface RemovedQuote {
  readonly id: string;
  /** Day on which it was removed, such as `2026-11-22`. */
  readonly on: string;
  readonly reason: string;
}

/** Everything that is written down. */
export interface WrittenQuotes {
  readonly generic: readonly WrittenQuote[];
  readonly personalized: readonly WrittenQuote[];
  readonly removed: readonly RemovedQuote[];
}

/** Quotes, and the structure of each by its id. */
export interface QuoteData extends WrittenQuotes {
  readonly structures: Readonly<Record<string, QuoteStructure>>;
}

const folder = path.join(import.meta.dirname, '../../resources/quotes');

const readJson = (file: string): unknown => JSON.parse(readFileSync(path.join(folder, file), 'utf8'));

/** Reads the quotes that come with the product; `npm run generate` has made their structures. */
export const readQuoteData = (): QuoteData => ({
  ...(readJson('quotes.json') as WrittenQuotes),
  structures: readJson('structures.json') as QuoteData['structures'],
});
