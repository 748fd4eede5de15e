import { beforeAll, describe, expect, it } from 'vitest';
import { listPages, readCodeSpans, readPage, readTable } from './read-page.ts';
import { listPageTexts, listSourceTexts, type SpokenText } from './spoken-texts.ts';

const glossary = readPage('docs/glossary.md');
const terms = readTable(glossary, 'Terms');

const listWords = (cell = ''): string[] =>
  cell
    .split(',')
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== '');

/** Each word that is not used, and the term that is. */
const termsByWord = new Map(
  terms.flatMap(([term = '', , not]) => listWords(not).map((word) => [word, term] as const)),
);

/** Words that may stand all the same where a path begins so. */
const exceptions = readTable(glossary, 'Exceptions').flatMap(([words, places = '']) =>
  readCodeSpans(places).map((place) => ({ words: listWords(words), place })),
);

/** The words by themselves: not within a name, an address, a path or an option. */
const pattern = `(?<![\\w/.$-])(?:${[...termsByWord.keys()].join('|')})(?![\\w/(=-]|\\.\\w)`;

interface Stranger extends SpokenText {
  readonly word: string;
}

const findStrangers = (spoken: SpokenText): Stranger[] =>
  [...spoken.text.matchAll(new RegExp(pattern, 'gi'))].map(([word]) => ({
    ...spoken,
    word: word.toLowerCase(),
  }));

const isExcused = ({ word, file }: Stranger): boolean =>
  exceptions.some(({ words, place }) => words.includes(word) && file.startsWith(place));

const describeStranger = ({ file, line, word, text }: Stranger): string =>
  `${file}:${line}: not "${word}" but "${termsByWord.get(word)}": ${text.slice(0, 160)}`;

describe('docs/glossary.md', () => {
  let ofSources: Stranger[];
  let ofPages: Stranger[];

  beforeAll(() => {
    const pages = listPages()
      .map(({ path }) => path)
      .filter((path) => path === 'README.md' || (path.startsWith('docs/') && path !== glossary.path));
    ofSources = listSourceTexts(['core', 'main', 'renderer'], new RegExp(pattern, 'i')).flatMap(
      findStrangers,
    );
    ofPages = pages.flatMap(listPageTexts).flatMap(findStrangers);
  });

  it('has each term once, and no word that is a term', () => {
    const names = terms.map(([term]) => term!);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => termsByWord.has(name))).toEqual([]);
  });

  it('is kept to by the window, the command line, messages and the API', () => {
    expect(ofSources.filter((one) => !isExcused(one)).map(describeStranger)).toEqual([]);
  });

  it('is kept to by the documentation', () => {
    expect(ofPages.filter((one) => !isExcused(one)).map(describeStranger)).toEqual([]);
  });

  it('has no exception that nothing needs', () => {
    const strangers = [...ofSources, ...ofPages];
    const unused = exceptions.filter(
      ({ words, place }) =>
        !strangers.some(({ word, file }) => words.includes(word) && file.startsWith(place)),
    );
    expect(unused).toEqual([]);
  });
});
