import type { Cursor } from './cursor.ts';
import { takeEnclosed, takeQuoted } from './values.ts';

const isOfValue = (code: number): boolean => code !== 44 && code !== 123 && code !== 125;

const NULL_HINT = 'Use is.null to find nulls, and double quotes for the string "NULL".';

/** Takes an array of the database that has one dimension, `{a,"b,c",""}`. Blanks around bare elements are cut off. */
export const takeArray = (cursor: Cursor): string[] => takeEnclosed(cursor, ['{', '}'], takeValue);

function takeValue(cursor: Cursor): string {
  cursor.skipBlanks();
  const at = cursor.at;
  if (cursor.sees('"')) {
    const quoted = takeQuoted(cursor);
    if (quoted === undefined) return cursor.refuse('unclosed quote', { at });
    cursor.skipBlanks();
    return quoted;
  }
  const value = takeBare(cursor);
  if (value === '') cursor.fail('value', { at, hint: 'Write an empty string as "".' });
  if (value.toLowerCase() === 'null')
    cursor.refuse('null cannot be compared with equal or not equal', { at, hint: NULL_HINT });
  return value;
}

/** A backslash takes the next character as it is. */
function takeBare(cursor: Cursor): string {
  let value = '';
  while (!cursor.isAtEnd && isOfValue(cursor.code())) {
    if (cursor.code() === 92) cursor.at += 1;
    value += cursor.text[cursor.at] ?? '';
    cursor.at += 1;
  }
  return value.trimEnd();
}
