/** What sort of word stands in a quote. */
export const wordTags = [
  'noun',
  'name',
  'pronoun',
  'verb',
  'adjective',
  'adverb',
  'determiner',
  'preposition',
  'conjunction',
  'number',
  'other',
] as const;
export type WordTag = (typeof wordTags)[number];

/** What sort of sentence a quote has. */
export const sentenceKinds = ['statement', 'question', 'exclamation'] as const;
export type SentenceKind = (typeof sentenceKinds)[number];

/** A word without the punctuation around it. */
export interface QuoteWord {
  readonly word: string;
  readonly tag: WordTag;
}

export interface QuoteSentence {
  readonly kind: SentenceKind;
  readonly words: readonly QuoteWord[];
}

/** The sentences of a quote in their order. */
export type QuoteStructure = readonly QuoteSentence[];

/** Pronouns that may stand for whom a quote is about. */
export const pronouns = ['he', 'she', 'it', 'they'] as const;
export type Pronoun = (typeof pronouns)[number];

/** What stands in a personalised quote for whom it is about. */
export const namePlace = '{name}';
