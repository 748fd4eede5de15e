import type { Cursor } from './cursor.ts';

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const CLOSE = 41;

const isElementCharacter = (code: number): boolean => code !== COMMA && code !== CLOSE;

/** Parses a quoted string, in which a backslash escapes the next character; undefined without reading if unclosed. */
export function takeQuoted(cursor: Cursor): string | undefined {
  const from = cursor.at;
  cursor.at += 1;
  let value = '';
  let start = cursor.at;
  while (!cursor.isAtEnd) {
    const code = cursor.code();
    if (code === QUOTE) {
      value += cursor.text.slice(start, cursor.at);
      cursor.at += 1;
      return value;
    }
    if (code === BACKSLASH) {
      value += cursor.text.slice(start, cursor.at);
      cursor.at += 1;
      start = cursor.at;
    }
    cursor.at += 1;
  }
  cursor.at = from;
  return undefined;
}

/** Parses a value within a list or group: quoted, or up to the next comma or closing parenthesis. */
export function takeElement(cursor: Cursor): string {
  const from = cursor.at;
  cursor.skipBlanks();
  if (cursor.code() === QUOTE) {
    const quoted = takeQuoted(cursor);
    cursor.skipBlanks();
    // A value that only starts with a quote is taken literally.
    if (quoted !== undefined && (cursor.isAtEnd || !isElementCharacter(cursor.code()))) return quoted;
  }
  cursor.at = from;
  return cursor.takeWhile(isElementCharacter);
}

/** Parses a list `(a,"b,c")`. Blank content means an empty list. */
export function takeList(cursor: Cursor): string[] {
  cursor.skipBlanks();
  return takeEnclosed(cursor, ['(', ')'], takeElement);
}

/** Parses comma-separated elements between two delimiters. Blank content means no elements. */
export function takeEnclosed(
  cursor: Cursor,
  [open, close]: readonly [string, string],
  take: (cursor: Cursor) => string,
): string[] {
  cursor.expect(open);
  const from = cursor.at;
  cursor.skipBlanks();
  if (cursor.take(close)) return [];
  cursor.at = from;
  const values: string[] = [];
  for (;;) {
    values.push(take(cursor));
    if (cursor.take(close)) return values;
    cursor.expect(',', `"," or "${close}"`);
  }
}

/** Parses a PostgreSQL array `{a,"b c",{d}}` as a string. */
export function takeBraces(cursor: Cursor): string {
  const from = cursor.at;
  let depth = 0;
  while (!cursor.isAtEnd) {
    const character = cursor.code();
    if (character === QUOTE) {
      if (takeQuoted(cursor) === undefined) break;
      continue;
    }
    if (character === BACKSLASH) cursor.at += 1;
    if (character === 123) depth += 1;
    if (character === 125) depth -= 1;
    cursor.at += 1;
    if (depth === 0) return cursor.text.slice(from, cursor.at);
  }
  // Backtracking for each unclosed brace would take quadratic time.
  return cursor.throwSyntaxError('unclosed brace', {
    at: from,
    hint: 'Put values that start with a brace but are not arrays in double quotes.',
  });
}
