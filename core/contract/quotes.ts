import Type, { type Static } from 'typebox';
import { pronouns, sentenceKinds, wordTags } from '../model/quote.ts';
import { defineOperation } from './operation.ts';
import { literals } from './runs/run-views.ts';

const message = Type.String({ description: 'The quote' });
const nickname = Type.String({ description: 'Whom or what the quote speaks of' });

export const QuoteWord = Type.Object({
  word: Type.String({ description: 'Without punctuation; whom a quote is about counts as one word' }),
  tag: literals(wordTags, { description: 'What sort of word it is' }),
});

export const QuoteSentence = Type.Object({
  kind: literals(sentenceKinds),
  words: Type.Array(QuoteWord),
});

const quoteStructure = Type.Array(QuoteSentence, {
  description: 'The sentences of `message`, with what sort of word each word is',
});
const attributes = {
  description:
    'What a library for natural language makes of it: the sentences, and the pronoun of `nickname`',
};
const pronoun = literals(pronouns, { description: 'Best guess for `nickname`; `they` when in doubt' });

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
  'Whom or what the quote is to be about: 1 to 80 letters, digits, spaces and . , - _ + # / : ! ? @ ( ) and apostrophes';

/** The quotes service; nobody has to log in for it. */
export const quoteOperations = {
  'quotes.random': defineOperation({
    summary: 'A quote about the Dispatcher',
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
    summary: 'A quote about somebody or something, in the words of the Dispatcher',
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
    summary: 'All quotes',
    method: 'GET',
    version: 1,
    path: '/quotes/',
    input: Type.Object({}),
    output: Type.Object({
      messages: Type.Object({
        personalized: Type.Array(Type.String(), {
          description: 'Those that can be about anybody: `{name}` stands for whom',
        }),
        non_personalized: Type.Array(Type.String()),
      }),
    }),
    errors: ['not_acceptable', 'too_many_requests', 'unavailable'],
    role: 'viewer',
    public: true,
  }),
  'quotes.get': defineOperation({
    summary: 'A certain quote',
    method: 'GET',
    version: 1,
    path: '/quotes/{id}',
    input: Type.Object({
      id: Type.String({
        maxLength: 40,
        description: 'As in the `Content-Location` of a quote: `g-012`, or `p-012` of a personalized one',
      }),
      q: Type.Optional(
        Type.String({ maxLength: 400, description: `${aboutWhom}. Personalized quotes need it` }),
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
