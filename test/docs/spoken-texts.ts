import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'vite';
import { root } from './read-page.ts';

/** A text for people, and its location. */
export interface UserText {
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
export function listSourceTexts(folders: readonly string[], words: RegExp): UserText[] {
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
export function listPageTexts(path: string): UserText[] {
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
