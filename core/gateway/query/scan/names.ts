import type { Field, JsonStep } from '../query.ts';
import type { Cursor } from './cursor.ts';
import { queryLimits } from './limits.ts';
import { takeQuoted } from './values.ts';

const NAME = 'field name (* or [a..z0..9_$])';

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

const isLetter = (code: number): boolean => (code >= 65 && code <= 90) || (code >= 97 && code <= 122);

/** Whether the character may occur in a name: as in SQL, everything above ASCII, and blanks, which are trimmed. */
const isNameCharacter = (code: number): boolean =>
  isLetter(code) || isDigit(code) || code === 95 || code === 36 || code === 32 || code > 127;

/** Whether the character may occur in a JSON key: everything except `( ) - : . , >`. */
const isJsonKeyCharacter = (code: number): boolean =>
  code !== 40 && code !== 41 && code !== 45 && code !== 58 && code !== 46 && code !== 44 && code !== 62;

/** Parses words joined by dashes that are not part of an arrow. */
function takeDashed(cursor: Cursor, isOfWord: (code: number) => boolean, expected: string): string {
  const from = cursor.at;
  for (;;) {
    if (trimBlanks(cursor.takeWhile(isOfWord)) === '') cursor.fail(expected);
    if (!cursor.isNext('-') || cursor.isNext('->')) break;
    cursor.at += 1;
  }
  return trimBlanks(cursor.text.slice(from, cursor.at));
}

function trimBlanks(text: string): string {
  let from = 0;
  let to = text.length;
  while (text[from] === ' ') from += 1;
  while (to > from && text[to - 1] === ' ') to -= 1;
  return text.slice(from, to);
}

/** Parses the name of a column, relation or alias: bare, with inner dashes, or quoted. */
export function takeName(cursor: Cursor): string {
  const quoted = takeQuotedName(cursor);
  return quoted ?? takeDashed(cursor, isNameCharacter, NAME);
}

function takeQuotedName(cursor: Cursor): string | undefined {
  let ahead = 0;
  while (cursor.code(ahead) === 32) ahead += 1;
  if (!cursor.isNext('"', ahead)) return undefined;
  cursor.at += ahead;
  const from = cursor.at;
  const name = takeQuoted(cursor);
  if (name === undefined) return cursor.throwSyntaxError('unclosed quote', { at: from });
  if (name === '') cursor.fail(NAME, { at: from + 1 });
  cursor.skipBlanks();
  return name;
}

/** Parses the name of a type or full-text configuration. */
export function takeIdentifier(cursor: Cursor, expected: string): string {
  const name = trimBlanks(cursor.takeWhile(isNameCharacter));
  if (name === '') cursor.fail(expected);
  return name;
}

/** Parses a column with a JSON path: `data->a->>0`. */
export function takeField(cursor: Cursor): Field {
  return { column: takeName(cursor), json: takeJsonPath(cursor) };
}

/** Parses any number of arrows, each with a key or an index. */
export function takeJsonPath(cursor: Cursor): JsonStep[] {
  const steps: JsonStep[] = [];
  for (;;) {
    const arrow = cursor.take('->>') ? '->>' : cursor.take('->') ? '->' : undefined;
    if (arrow === undefined) return steps;
    if (steps.length === queryLimits.jsonSteps)
      cursor.throwSyntaxError(`more than ${queryLimits.jsonSteps} steps in a JSON path`);
    steps.push({ arrow, key: takeJsonKey(cursor) });
  }
}

function takeJsonKey(cursor: Cursor): string | number {
  const quoted = cursor.isNext('"') ? takeQuoted(cursor) : undefined;
  if (quoted !== undefined) return quoted;
  return takeIndex(cursor) ?? takeDashed(cursor, isJsonKeyCharacter, 'JSON key or index');
}

/** Parses an index. Digits that exceed a database integer are a key. */
function takeIndex(cursor: Cursor): number | undefined {
  const from = cursor.at;
  cursor.take('-');
  const digits = cursor.takeWhile(isDigit);
  const index = Number(cursor.text.slice(from, cursor.at));
  const isWhole = cursor.isAtEnd || cursor.isNext('->') || '):.,'.includes(cursor.text[cursor.at] ?? '');
  if (digits !== '' && isWhole && Math.abs(index) < 2 ** 31) return index === 0 ? 0 : index;
  cursor.at = from;
  return undefined;
}
