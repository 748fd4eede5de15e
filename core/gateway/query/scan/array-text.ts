import type { Cursor } from './cursor.ts';
import { takeEnclosed, takeQuoted } from './values.ts';

const isArrayValueCharacter = (code: number): boolean => code !== 44 && code !== 123 && code !== 125;

const NULL_HINT = 'Use is.null to find nulls, and double quotes for the string "NULL".';

/** Reads a one-dimensional PostgreSQL array, `{a,"b,c",""}`. Bare elements are trimmed. */
export const takeArray = (cursor: Cursor): string[] => takeEnclosed(cursor, ['{', '}'], takeValue);

function takeValue(cursor: Cursor): string {
  cursor.skipBlanks();
  const at = cursor.at;
  if (cursor.isNext('"')) {
    const quoted = takeQuoted(cursor);
    if (quoted === undefined) return cursor.throwSyntaxError('unclosed quote', { at });
    cursor.skipBlanks();
    return quoted;
  }
  const value = takeBare(cursor);
  if (value === '') cursor.fail('value', { at, hint: 'Write an empty string as "".' });
  if (value.toLowerCase() === 'null')
    cursor.throwSyntaxError('null cannot be compared with equal or not equal', { at, hint: NULL_HINT });
  return value;
}

/** Parses a bare element, in which a backslash escapes the next character. */
function takeBare(cursor: Cursor): string {
  let value = '';
  while (!cursor.isAtEnd && isArrayValueCharacter(cursor.code())) {
    if (cursor.code() === 92) cursor.at += 1;
    value += cursor.text[cursor.at] ?? '';
    cursor.at += 1;
  }
  return value.trimEnd();
}
