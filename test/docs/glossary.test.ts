import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'vite';
import { beforeAll, describe, expect, it } from 'vitest';
import { root, listPages, readPage, readTable } from './read-page.ts';

/** A text for people, and its location. */
interface UserText {
  /** Relative to the repository root. */
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

const isSql = (text: string): boolean =>
  /\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE|WHERE)\b|\bselect\b.*\bfrom\b/s.test(text);

/** Several words. A single word may be an identifier, except in JSX text. */
const isSpeech = (text: string): boolean => /[A-Za-z]{2}\S* .*[A-Za-z]{2}/s.test(text) && !isSql(text);

/**
 * The texts of pages, messages and help: JSX text, and literals of several words. Files without any of the
 * words are not parsed.
 * @param words a pattern to search for
 */
function listSourceTexts(folders: readonly string[], words: RegExp): UserText[] {
  const files = folders.flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root })).sort();
  return files.flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8');
    return words.test(source) ? readSource(file, source) : [];
  });
}

function readSource(file: string, source: string): UserText[] {
  const texts: UserText[] = [];
  const add = (start: number, text: string): void => {
    texts.push({
      file,
      line: source.slice(0, start).split('\n').length,
      text: text.replaceAll(/\s+/g, ' ').trim(),
    });
  };
  new Visitor({
    JSXText: ({ start, value }) => add(start, value),
    JSXAttribute: ({ value }) => {
      if (value?.type === 'Literal' && typeof value.value === 'string' && /^[A-Z]/.test(value.value))
        add(value.start, value.value);
    },
    Literal: ({ start, value }) => {
      if (typeof value === 'string' && isSpeech(value)) add(start, value);
    },
    TemplateLiteral: ({ start, quasis }) => {
      const text = quasis.map(({ value }) => value.cooked ?? '').join('…');
      if (isSpeech(text)) add(start, text);
    },
  }).visit(parseSync(join(root, file), source).program);
  return texts;
}

/**
 * The lines of a page without code, URLs, and titles of links to sources and tests.
 * @param path relative to the repository root
 */
function listPageTexts(path: string): UserText[] {
  const page = readFileSync(join(root, path), 'utf8');
  const blank = (block: string): string => block.replaceAll(/[^\n]/g, '');
  return page
    .replaceAll(/^```[^\n]*\n.*?^```$/gms, blank)
    .replaceAll(/`[^`\n]*`/g, '')
    .replaceAll(/\[(?:\\.|[^\\\]])*\]\(\.\.\/[^)\s]+\)/g, '')
    .replaceAll(/\]\([^)\s]+\)/g, ']')
    .split('\n')
    .map((text, index) => ({ file: path, line: index + 1, text }));
}

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
