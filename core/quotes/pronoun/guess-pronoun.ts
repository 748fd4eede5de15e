import nlp from 'compromise/two';
import type { Pronoun } from '../../model/quote.ts';

/** Words that say by themselves how one speaks of somebody. */
const spoken: Readonly<Record<string, Pronoun>> = {
  mr: 'he',
  sir: 'he',
  lord: 'he',
  mrs: 'she',
  ms: 'she',
  miss: 'she',
  lady: 'she',
};

interface Term {
  readonly normal: string;
  readonly tags: readonly string[];
}

/**
 * The pronoun that most likely stands for a name or a subject: by a form of address, by first names, `it` for things,
 * and `they` for several, for people of whom nothing is known, and when in doubt. A guess is all it is.
 */
export function guessPronoun(name: string): Pronoun {
  const sentences = nlp(name).json({ terms: { normal: true, tags: true } }) as {
    readonly terms: readonly Term[];
  }[];
  const terms = sentences.flatMap((sentence) => sentence.terms);
  const has = (...tags: readonly string[]): boolean =>
    terms.some((term) => tags.some((tag) => term.tags.includes(tag)));
  const addressed = spoken[terms[0]?.normal ?? ''];
  if (addressed !== undefined && terms.length > 1) return addressed;
  if (has('Conjunction', 'Plural', 'Pronoun')) return 'they';
  const first = terms.find(({ tags }) => tags.includes('FirstName'))?.tags ?? [];
  if (first.includes('FemaleName')) return 'she';
  if (first.includes('MaleName')) return 'he';
  return has('Noun') && !has('Person', 'Actor', 'ProperNoun', 'Uncountable') ? 'it' : 'they';
}
