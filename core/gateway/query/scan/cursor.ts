import { truncate } from '../../../base/text/truncate.ts';
import { GatewayError } from '../../gateway-error.ts';

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
  takeWhile(isOfKind: (code: number) => boolean): string {
    const from = this.at;
    while (!this.isAtEnd && isOfKind(this.code())) this.at += 1;
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
