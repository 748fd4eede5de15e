/** Kinds of words in a quote. */
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

/** Kinds of sentences in a quote. */
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

/** Pronouns that may refer to the subject of a quote. */
export const pronouns = ['he', 'she', 'it', 'they'] as const;
export type Pronoun = (typeof pronouns)[number];

/** Placeholder for the subject's name in a personalised quote. */
export const namePlaceholder = '{name}';
