// A file of its own: only `engine quote` loads it.
import { exitCodes } from '../../base/error-codes.ts';
import type { OperationOutput } from '../../contract/operations.ts';
import {
  type CommandContext,
  type OutputFormat,
  printJson,
  printLines,
  withHost,
} from '../command-context.ts';

export interface QuoteInput {
  /** Subject of the quote. */
  readonly name?: string;
  readonly format: OutputFormat;
}

type AnyQuote = OperationOutput<'quotes.random'> | OperationOutput<'quotes.personalized'>;

/** Prints a quote. Without `--server` it needs neither a server nor a home. */
export async function runQuote(context: CommandContext, input: QuoteInput): Promise<number> {
  const quote = context.server === undefined ? await print(input) : await ask(context, input);
  if (input.format === 'json') await printJson(context, quote);
  else await printLines(context, [quote.message]);
  return exitCodes.success;
}

async function print({ name, format }: QuoteInput): Promise<AnyQuote> {
  const { openQuotes } = await import('../../api/quotes/quotes.ts');
  // The guess takes a thread, and the text output does not use it.
  const quotes = format === 'json' ? openQuotes() : openQuotes({ guess: async () => 'they' });
  return name === undefined ? quotes.random().view : (await quotes.personalized(name)).view;
}

const ask = (context: CommandContext, { name }: QuoteInput): Promise<AnyQuote> =>
  withHost(context, ({ api }) =>
    name === undefined
      ? api.call('quotes.random', {}, context.caller)
      : api.call('quotes.personalized', { q: name }, context.caller),
  );
