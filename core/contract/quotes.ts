import Type, { type Static } from 'typebox';
import { pronouns, sentenceKinds, wordTags } from '../model/quote.ts';
import { defineOperation } from './operation.ts';
import { literals } from './run-views.ts';

const message = Type.String({ description: 'The quote' });
const nickname = Type.String({ description: 'Subject of the quote' });

export const QuoteWord = Type.Object({
  word: Type.String({
    description: 'Words without punctuation. The subject of a quote counts as a single word.',
  }),
  tag: literals(wordTags, { description: 'Part of speech' }),
});

export const QuoteSentence = Type.Object({
  kind: literals(sentenceKinds),
  words: Type.Array(QuoteWord),
});

const quoteStructure = Type.Array(QuoteSentence, {
  description: 'Sentences of `message`, with the part of speech of each word',
});
const attributes = {
  description: 'Natural language analysis: sentences, and the pronoun for `nickname`',
};
const pronoun = literals(pronouns, { description: 'Best guess for `nickname`. `they` if unknown.' });

export const QuoteView = Type.Object({
  message,
  nlp_attributes: Type.Object({ quote_structure: quoteStructure }, attributes),
});
export type QuoteView = Static<typeof QuoteView>;

export const PersonalQuoteView = Type.Object({
  message,
  nickname,
  nlp_attributes: Type.Object({ pronoun, quote_structure: quoteStructure }, attributes),
});
export type PersonalQuoteView = Static<typeof PersonalQuoteView>;

const aboutWhom =
  'Subject of the quote: 1 to 80 letters, digits, spaces and . , - _ + # / : ! ? @ ( ) and apostrophes';

/** The quotes service; requires no authentication. */
export const quoteOperations = {
  'quotes.random': defineOperation({
    summary: 'Get a quote about the Dispatcher',
    method: 'GET',
    version: 1,
    path: '/quotes/random',
    input: Type.Object({}),
    output: QuoteView,
    errors: ['not_acceptable', 'too_many_requests', 'unavailable'],
    role: 'viewer',
    public: true,
  }),
  'quotes.personalized': defineOperation({
    summary: 'Get a personalized quote',
    method: 'GET',
    version: 1,
    path: '/quotes/personalized',
    input: Type.Object({ q: Type.String({ maxLength: 400, description: aboutWhom }) }),
    output: PersonalQuoteView,
    errors: ['not_acceptable', 'too_many_requests', 'unavailable'],
    role: 'viewer',
    public: true,
  }),
  'quotes.list': defineOperation({
    summary: 'List all quotes',
    method: 'GET',
    version: 1,
    path: '/quotes/',
    input: Type.Object({}),
    output: Type.Object({
      messages: Type.Object({
        personalized: Type.Array(Type.String(), {
          description: 'Personalized quotes. `{name}` is replaced with the subject.',
        }),
        non_personalized: Type.Array(Type.String()),
      }),
    }),
    errors: ['not_acceptable', 'too_many_requests', 'unavailable'],
    role: 'viewer',
    public: true,
  }),
  'quotes.get': defineOperation({
    summary: 'Get a quote by ID',
    method: 'GET',
    version: 1,
    path: '/quotes/{id}',
    input: Type.Object({
      id: Type.String({
        maxLength: 40,
        description:
          'ID from the `Content-Location` header of a quote: `g-012`, or `p-012` for personalized quotes',
      }),
      q: Type.Optional(
        Type.String({ maxLength: 400, description: `${aboutWhom}. Required for personalized quotes.` }),
      ),
    }),
    output: Type.Object({
      message,
      nickname: Type.Optional(nickname),
      nlp_attributes: Type.Object(
        { pronoun: Type.Optional(pronoun), quote_structure: quoteStructure },
        attributes,
      ),
    }),
    errors: ['not_found', 'gone', 'not_acceptable', 'too_many_requests', 'unavailable'],
    role: 'viewer',
    public: true,
  }),
};
