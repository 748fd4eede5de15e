import type { Cursor } from './cursor.ts';

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const CLOSE = 41;

const isOfElement = (code: number): boolean => code !== COMMA && code !== CLOSE;

/** A text in quotes, in which a backslash takes the next character as it is; undefined, and nothing taken, without end. */
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

/** A value within a list or group: in quotes, or everything up to the next comma or closing parenthesis. */
export function takeElement(cursor: Cursor): string {
  const from = cursor.at;
  cursor.skipBlanks();
  if (cursor.code() === QUOTE) {
    const quoted = takeQuoted(cursor);
    cursor.skipBlanks();
    // What only begins with a quote is meant as it stands.
    if (quoted !== undefined && (cursor.isAtEnd || !isOfElement(cursor.code()))) return quoted;
  }
  cursor.at = from;
  return cursor.takeWhile(isOfElement);
}

/** A list `(a,"b,c")`; nothing but blanks between the parentheses is no element at all. */
export function takeList(cursor: Cursor): string[] {
  cursor.skipBlanks();
  return takeEnclosed(cursor, ['(', ')'], takeElement);
}

/** Elements with commas in between, and the two signs around them; nothing but blanks there is no element at all. */
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

/** An array of the database as it is written there, `{a,"b c",{d}}`, as text. */
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
  // To read on as if it were no array would take as many times as there are such braces.
  return cursor.refuse('unclosed brace', {
    at: from,
    hint: 'Put values that start with a brace but are not arrays in double quotes.',
  });
}
