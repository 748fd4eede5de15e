import { barePathPattern, bracedNamePattern, matchAt, pathPattern } from '../parse-template.ts';
import type { ShellReference } from './scan-shell-text.ts';

/** Does not match `:-2`, which is a default value. */
const slicePattern = /:(?:[0-9]+|[ \t]+-?[0-9]+)(?::[ \t]*-?[0-9]+)?(?=\})/y;
const defaultPattern = /:[-=+?]/y;
const bareNamePattern = /[A-Za-z_][A-Za-z0-9_]*/y;

/** Parses `${NAME.path…` or `${NAME:offset:length…`. Returns undefined if only the shell can expand it. */
export function readBracedReference(text: string, position: number): ShellReference | undefined {
  const name = matchAt(bracedNamePattern, text, position + 2);
  if (name === undefined) return undefined;
  const afterName = position + 2 + name.length;
  const path = matchAt(pathPattern, text, afterName) ?? '';
  const afterPath = afterName + path.length;
  const slice = matchAt(slicePattern, text, afterPath) ?? '';
  if (path === '' && slice === '') return undefined;
  if (text[afterPath] !== '}' && text[afterPath] !== ':') return undefined;
  const hasDefault = matchAt(defaultPattern, text, afterPath) !== undefined;
  const written = text.slice(position, afterPath + slice.length);
  return { kind: 'reference', written, name, path, slice, hasDefault, braced: true };
}

/** Parses `$NAME.path`. Positional parameters are left to the shell, because a function has its own. */
export function readBareReference(text: string, position: number): ShellReference | undefined {
  const name = matchAt(bareNamePattern, text, position + 1);
  if (name === undefined) return undefined;
  const path = matchAt(barePathPattern, text, position + 1 + name.length);
  if (path === undefined) return undefined;
  const written = `$${name}${path}`;
  return { kind: 'reference', written, name, path, slice: '', hasDefault: false, braced: false };
}

/** A here-document whose body has not been read yet. */
export interface HereDocument {
  readonly delimiter: string;
  /** A part of its delimiter is quoted, so its body is not expanded. */
  readonly quoted: boolean;
  /** `<<-`: leading tabs are ignored. */
  readonly stripsTabs: boolean;
}

/** The repetition is bounded, because unbounded repetition can overflow the stack. */
const wordPattern = /(?:\\[^]|'[^']*'|"(?:\\[^]|[^\\"]){0,1000}"|[^ \t\n\\'";&|()<>]){0,1000}/y;

/**
 * Parses `<<WORD` or `<<-WORD`.
 * @returns the document and the position after the operator
 */
export function readHereOperator(text: string, position: number): { document: HereDocument; end: number } {
  const stripsTabs = text[position + 2] === '-';
  let start = position + (stripsTabs ? 3 : 2);
  while (text[start] === ' ' || text[start] === '\t') start += 1;
  wordPattern.lastIndex = start;
  const word = wordPattern.exec(text)?.[0] ?? '';
  return {
    document: { delimiter: removeQuotes(word), quoted: /[\\'"]/.test(word), stripsTabs },
    end: start + word.length,
  };
}

const removeQuotes = (word: string): string =>
  word.replaceAll(
    /\\([^])|'([^']*)'|"((?:\\[^]|[^\\"])*)"/g,
    (_, escaped?: string, single?: string, double?: string) =>
      escaped ?? single ?? double!.replaceAll(/\\([$`"\\])/g, '$1'),
  );

/**
 * Finds the end of a body that starts at `start`.
 * @returns the end of the body and the start of the text after the delimiter line
 */
export function findBodyEnd(
  text: string,
  start: number,
  document: HereDocument,
): { end: number; next: number } {
  let continued = false;
  for (let at = start; at < text.length;) {
    const lineEnd = text.indexOf('\n', at);
    const end = lineEnd === -1 ? text.length : lineEnd;
    const line = text.slice(at, end);
    const compared = document.stripsTabs ? line.replace(/^\t+/, '') : line;
    const next = Math.min(end + 1, text.length);
    if (!continued && compared === document.delimiter) return { end: at, next };
    continued = !document.quoted && isContinued(line);
    at = end + 1;
  }
  return { end: text.length, next: text.length };
}

/** Whether the line ends with an odd number of backslashes, which escape the line break. */
function isContinued(line: string): boolean {
  let count = 0;
  while (line[line.length - 1 - count] === '\\') count += 1;
  return count % 2 === 1;
}
