import type { Quotes } from '../../quotes/quotes.ts';
import { setLocation } from '../answer-places.ts';
import { markCached } from '../cache/shared-answers.ts';
import type { HandlersFor } from './handlers.ts';

type QuoteOperation = 'quotes.random' | 'quotes.personalized' | 'quotes.list' | 'quotes.get';

let opened: Promise<Quotes> | undefined;

/** Loaded on first use, because most engines never serve a quote. */
const open = (): Promise<Quotes> => (opened ??= load());

async function load(): Promise<Quotes> {
  const { openQuotes } = await import('../../quotes/quotes.ts');
  const quotes = openQuotes();
  markCached(quotes.collection.list);
  for (const { id, view } of quotes.collection.generic) {
    markCached(view);
    setLocation(view, id);
  }
  return quotes;
}

/** Sets the location of a quote about a subject. */
function withLocation<View extends object>({ id, view }: { id: string; view: View }, q: string): View {
  setLocation(view, `${id}?q=${encodeURIComponent(q)}`);
  return view;
}

/** Operations on quotes. */
export const quoteHandlers: HandlersFor<QuoteOperation> = {
  'quotes.random': async () => (await open()).random().view,
  'quotes.personalized': async ({ q }) => withLocation(await (await open()).personalized(q), q),
  'quotes.list': async () => (await open()).collection.list,
  'quotes.get': async ({ id, q }) => {
    const quote = await (await open()).find(id, q);
    return q === undefined ? quote.view : withLocation(quote, q);
  },
};
