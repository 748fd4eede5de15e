import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { QuoteStructure } from '../../core/model/quote.ts';
import { analyzeQuote } from './analyze-quote.ts';

interface AuthoredQuote {
  readonly id: string;
  readonly text: string;
}

const file = join(import.meta.dirname, '../../resources/quotes/quotes.json');

/** Builds `resources/quotes/structures.json`: the structure of each quote by id, one per line. */
export function buildQuoteStructures(): string {
  const { generic, personalized } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, AuthoredQuote[]>;
  const lines = [...generic!, ...personalized!].map(
    ({ id, text }) =>
      `  ${JSON.stringify(id)}: ${JSON.stringify(analyzeQuote(text) satisfies QuoteStructure)}`,
  );
  return `{\n${lines.join(',\n')}\n}\n`;
}
