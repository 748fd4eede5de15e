import nlp from 'compromise';
import {
  namePlaceholder,
  type QuoteStructure,
  type SentenceKind,
  type WordTag,
} from '../../core/model/quote.ts';

/** A term as returned by the library. */
interface Term {
  readonly text: string;
  readonly implicit?: string;
  readonly tags: readonly string[];
}

/** Placeholder for the subject of a quote during the analysis; no quote contains this name. */
const substitute = 'Ada';

/** The library's tags by priority; a word may have several. */
const tagOrder: readonly (readonly [string, WordTag])[] = [
  ['Person', 'name'],
  ['ProperNoun', 'name'],
  ['Pronoun', 'pronoun'],
  ['Determiner', 'determiner'],
  ['Possessive', 'pronoun'],
  ['Value', 'number'],
  ['Verb', 'verb'],
  ['Adjective', 'adjective'],
  ['Adverb', 'adverb'],
  ['Negative', 'adverb'],
  ['Conjunction', 'conjunction'],
  ['Preposition', 'preposition'],
  ['Noun', 'noun'],
  ['Date', 'noun'],
  ['QuestionWord', 'pronoun'],
];

/** Returns the sentences and word types of a quote, by the library compromise; `{name}` stays as a name. */
export function analyzeQuote(text: string): QuoteStructure {
  const sentences = nlp(text.replaceAll(namePlaceholder, substitute)).json({ terms: { tags: true } }) as {
    readonly text: string;
    readonly terms: readonly Term[];
  }[];
  return sentences.map(({ text: sentence, terms }) => ({
    kind: kindOf(sentence),
    // The second half of a contraction has no text of its own.
    words: terms.filter(({ text: word }) => word !== '').map((term) => describeWord(term)),
  }));
}

function describeWord({ text, tags }: Term): QuoteStructure[number]['words'][number] {
  const word = text.replace(substitute, namePlaceholder);
  if (word.includes(namePlaceholder) || text.startsWith('Dispatcher')) return { word, tag: 'name' };
  return { word, tag: tagOrder.find(([theirs]) => tags.includes(theirs))?.[1] ?? 'other' };
}

function kindOf(sentence: string): SentenceKind {
  const mark = /([?!])\W*$/u.exec(sentence)?.[1];
  if (mark === '?') return 'question';
  return mark === '!' ? 'exclamation' : 'statement';
}
