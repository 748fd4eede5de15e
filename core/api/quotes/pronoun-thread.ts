import { parentPort } from 'node:worker_threads';
import nlp from 'compromise/two';
import type { Pronoun } from '../../model/quote.ts';
import { getErrorMessage } from '../../base/errors.ts';

/** Request to the worker thread. */
export interface PronounQuestion {
  readonly id: number;
  readonly name: string;
}

/** Response of the worker thread. */
export interface PronounAnswer {
  readonly id: number;
  readonly pronoun?: Pronoun;
  /** Why there is no result. */
  readonly fault?: string;
}

/** Words that determine the pronoun directly. */
const spokenPronouns: Readonly<Record<string, Pronoun>> = {
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
 * Guesses the pronoun of a name or subject: by a form of address or by first names; `it` for things, and `they` for
 * plurals, for people with unknown gender, and if in doubt.
 */
function guessPronoun(name: string): Pronoun {
  const sentences = nlp(name).json({ terms: { normal: true, tags: true } }) as {
    readonly terms: readonly Term[];
  }[];
  const terms = sentences.flatMap((sentence) => sentence.terms);
  const has = (...tags: readonly string[]): boolean =>
    terms.some((term) => tags.some((tag) => term.tags.includes(tag)));
  const addressed = spokenPronouns[terms[0]?.normal ?? ''];
  if (addressed !== undefined && terms.length > 1) return addressed;
  if (has('Conjunction', 'Plural', 'Pronoun')) return 'they';
  const first = terms.find(({ tags }) => tags.includes('FirstName'))?.tags ?? [];
  if (first.includes('FemaleName')) return 'she';
  if (first.includes('MaleName')) return 'he';
  return has('Noun') && !has('Person', 'Actor', 'ProperNoun', 'Uncountable') ? 'it' : 'they';
}

/** A worker thread, because loading the library would block the engine for too long. */
const port = parentPort!;

port.on('message', ({ id, name }: PronounQuestion) => {
  let answer: PronounAnswer;
  try {
    answer = { id, pronoun: guessPronoun(name) };
  } catch (error) {
    answer = { id, fault: getErrorMessage(error) };
  }
  port.postMessage(answer);
});
