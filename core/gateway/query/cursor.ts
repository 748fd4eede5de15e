import { truncate } from '../../base/text.ts';
import { GatewayError } from '../gateway-error.ts';
import type { Field, JsonStep } from './query.ts';
import { takeQuoted } from './values.ts';

/** Maximum length of quoted text in errors. */
const QUOTED_CHARACTERS = 200;

const BLANK = 32;

/**
 * A position in a text that is read once from left to right. All characters are read through {@link code}, so that
 * tests can count the reads.
 */
export class Cursor {
  readonly text: string;
  /** Name of the text for errors: `filter`, `select parameter`. */
  readonly subject: string;
  /** Index of the next character. */
  at = 0;

  constructor(text: string, subject: string) {
    this.text = text;
    this.subject = subject;
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** Returns the code unit at an offset; -1 after the end. */
  code(ahead = 0): number {
    const offset = this.at + ahead;
    return offset < this.text.length ? this.text.charCodeAt(offset) : -1;
  }

  /** Whether the specified text is next. */
  isNext(expected: string, ahead = 0): boolean {
    for (let index = 0; index < expected.length; index += 1)
      if (this.code(ahead + index) !== expected.charCodeAt(index)) return false;
    return true;
  }

  /** Skips the specified text if it is next. */
  take(expected: string): boolean {
    if (!this.isNext(expected)) return false;
    this.at += expected.length;
    return true;
  }

  /** Skips the specified text. */
  expect(expected: string, name = `"${expected}"`): void {
    if (!this.take(expected)) this.fail(name);
  }

  /** Reads characters while the predicate holds. */
  takeWhile(isMatch: (code: number) => boolean): string {
    const from = this.at;
    while (!this.isAtEnd && isMatch(this.code())) this.at += 1;
    return this.text.slice(from, this.at);
  }

  skipBlanks(): void {
    while (this.code() === BLANK) this.at += 1;
  }

  expectEnd(expected = 'end of input'): void {
    if (!this.isAtEnd) this.fail(expected);
  }

  /** @throws GatewayError PGRST100 with the text, the column of the error and the expected syntax */
  fail(expected: string, more: { readonly at?: number; readonly hint?: string } = {}): never {
    const at = Math.min(more.at ?? this.at, this.text.length);
    const codePoint = this.text.codePointAt(at);
    const unexpected =
      codePoint === undefined ? 'end of input' : JSON.stringify(String.fromCodePoint(codePoint));
    this.throwSyntaxError(`unexpected ${unexpected} expecting ${expected}`, { ...more, at });
  }

  /** @throws GatewayError PGRST100 with any explanation */
  throwSyntaxError(details: string, more: { readonly at?: number; readonly hint?: string } = {}): never {
    // Columns count code points; those outside the BMP are two code units.
    const column = [...this.text.slice(0, more.at ?? this.at)].length + 1;
    const text = truncate(this.text, QUOTED_CHARACTERS);
    throw new GatewayError(
      400,
      'PGRST100',
      `"failed to parse ${this.subject} (${text})" (line 1, column ${column})`,
      { details, hint: more.hint ?? null },
    );
  }
}

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
function takeDashed(cursor: Cursor, isWordCode: (code: number) => boolean, expected: string): string {
  const from = cursor.at;
  for (;;) {
    if (trimBlanks(cursor.takeWhile(isWordCode)) === '') cursor.fail(expected);
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

/** Limits of one request: far above practical use, and low enough to generate SQL. */
export const queryLimits = {
  /** Maximum length of the raw query string, in characters. */
  length: 262_144,
  /** Maximum number of parameters. */
  parameters: 1_000,
  /** Maximum nesting of resources in `select=` and filter names. */
  embedding: 20,
  /** Maximum number of resources in one `select=`. */
  resources: 100,
  /** Maximum nesting of `and=` and `or=` groups. */
  logic: 50,
  /** Maximum number of steps in a JSON path. */
  jsonSteps: 50,
  /** Maximum number of entries in `select=`, terms in one `order=`, and conditions in one group. */
  items: 1_000,
} as const;
