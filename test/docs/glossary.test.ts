import { beforeAll, describe, expect, it } from 'vitest';
import { listPages, readPage, readTable } from './read-page.ts';
import { listPageTexts, listSourceTexts, type UserText } from './spoken-texts.ts';

const glossary = readPage('docs/glossary.md');
const terms = readTable(glossary, 'Terms').flatMap(([term = '']) => term.split(', '));

/** Synonyms that texts for people do not use, and the glossary term to use instead. */
const synonyms: Readonly<Record<string, string>> = {
  pipeline: 'workflow',
  'sub-dag': 'sub-workflow',
  'sub-dags': 'sub-workflow',
  subworkflow: 'sub-workflow',
  'child workflow': 'sub-workflow',
  'dag run': 'run',
  'dag runs': 'run',
  'child run': 'sub-run',
  'child runs': 'sub-run',
  iteration: 'item',
  iterations: 'item',
  guard: 'condition',
  master: 'coordinator',
  hook: 'webhook',
  hooks: 'webhook',
};

/** Whole words only: not within a name, a URL, a path or an option. */
const pattern = `(?<![\\w/.$-])(?:${Object.keys(synonyms).join('|')})(?![\\w/(=-]|\\.\\w)`;

const findSynonyms = ({ file, line, text }: UserText): string[] =>
  [...text.matchAll(new RegExp(pattern, 'gi'))].map(
    ([word]) => `${file}:${line}: not "${word}" but "${synonyms[word.toLowerCase()]}": ${text.slice(0, 160)}`,
  );

describe('docs/glossary.md', () => {
  let ofSources: string[];
  let ofPages: string[];

  beforeAll(() => {
    const pages = listPages()
      .map(({ path }) => path)
      .filter((path) => path === 'README.md' || (path.startsWith('docs/') && path !== glossary.path));
    ofSources = listSourceTexts(['core', 'main', 'renderer'], new RegExp(pattern, 'i')).flatMap(findSynonyms);
    ofPages = pages.flatMap(listPageTexts).flatMap(findSynonyms);
  });

  it('lists each term once, and no synonym as a term', () => {
    expect(new Set(terms).size).toBe(terms.length);
    expect(terms.filter((term) => Object.hasOwn(synonyms, term))).toEqual([]);
    expect(Object.values(synonyms).filter((term) => !terms.includes(term))).toEqual([]);
  });

  it('is followed by the UI, the command line, messages and the API', () => {
    expect(ofSources).toEqual([]);
  });

  it('is followed by the documentation', () => {
    expect(ofPages).toEqual([]);
  });
});
