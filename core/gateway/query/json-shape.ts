import { GatewayError } from '../gateway-error.ts';

/** Structure of a JSON text, without its values. */
export interface JsonShape {
  /** `other` for any other value. */
  readonly kind: 'object' | 'array' | 'other';
  /** Keys of the object, or of each object in the array, in order. */
  readonly keys: readonly (readonly string[])[];
  /** Whether an array contains anything but objects. */
  readonly hasOthers: boolean;
  /** Whether an object has more keys than a table can have columns; further keys are not listed. */
  readonly hasTooManyKeys: boolean;
}

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const COLON = 58;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
const OPEN_ARRAY = 91;
const CLOSE_ARRAY = 93;

/** Maximum length of a key. Names in PostgreSQL have 63 bytes. */
const MAX_KEY_LENGTH = 1_000;

/** Maximum nesting. Databases fail slightly above this. */
const MAX_DEPTH = 1_000;

/** Scans the keys of valid JSON in one pass without parsing values, because JavaScript would lose digits of numbers. */
export class JsonScanner {
  readonly #text: string;
  #at = 0;
  #hasTooManyKeys = false;

  constructor(validJson: string) {
    this.#text = validJson;
  }

  /** @throws GatewayError PGRST102 for too deep nesting */
  scan(): JsonShape {
    this.#skipBlanks();
    const first = this.#code();
    const found =
      first === OPEN_OBJECT
        ? ({ kind: 'object', keys: [this.#takeObject()], hasOthers: false } as const)
        : first === OPEN_ARRAY
          ? ({ kind: 'array', ...this.#takeArray() } as const)
          : ({ kind: 'other', keys: [], hasOthers: true } as const);
    return { ...found, hasTooManyKeys: this.#hasTooManyKeys };
  }

  #takeArray(): Pick<JsonShape, 'keys' | 'hasOthers'> {
    const keys: (readonly string[])[] = [];
    let hasOthers = false;
    this.#at += 1;
    this.#skipBlanks();
    while (this.#at < this.#text.length && this.#code() !== CLOSE_ARRAY) {
      if (this.#code() === OPEN_OBJECT) keys.push(this.#takeObject());
      else {
        hasOthers = true;
        this.#skipValue();
      }
      this.#skipBlanks();
      if (this.#code() === COMMA) this.#at += 1;
      this.#skipBlanks();
    }
    return { keys, hasOthers };
  }

  #takeObject(): string[] {
    const keys: string[] = [];
    this.#at += 1;
    this.#skipBlanks();
    while (this.#at < this.#text.length && this.#code() !== CLOSE_OBJECT) {
      const from = this.#at;
      this.#skipText();
      if (keys.length === MAX_KEYS) this.#hasTooManyKeys = true;
      else keys.push(readKey(this.#text.slice(from, Math.min(this.#at, from + MAX_KEY_LENGTH))));
      while (this.#at < this.#text.length && this.#code() !== COLON) this.#at += 1;
      this.#at += 1;
      this.#skipBlanks();
      this.#skipValue();
      this.#skipBlanks();
      if (this.#code() === COMMA) this.#at += 1;
      this.#skipBlanks();
    }
    this.#at += 1;
    return keys;
  }

  #skipValue(): void {
    let depth = 0;
    for (; this.#at < this.#text.length; this.#at += 1) {
      const code = this.#code();
      if (code === QUOTE) {
        this.#skipText();
        this.#at -= 1;
      } else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
        depth += 1;
        if (depth > MAX_DEPTH) throw bodyError(`The JSON is nested more than ${MAX_DEPTH} levels deep`);
      } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
        if (depth === 0) return;
        depth -= 1;
      } else if (code === COMMA && depth === 0) return;
    }
  }

  /** Skips a string, including its quotes. */
  #skipText(): void {
    let end = this.#at;
    do {
      end = this.#text.indexOf('"', end + 1);
    } while (end >= 0 && this.#isEscaped(end));
    this.#at = end < 0 ? this.#text.length : end + 1;
  }

  #isEscaped(at: number): boolean {
    let from = at;
    while (this.#text.charCodeAt(from - 1) === BACKSLASH) from -= 1;
    return (at - from) % 2 === 1;
  }

  #skipBlanks(): void {
    for (;;) {
      const code = this.#code();
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
      this.#at += 1;
    }
  }

  #code(): number {
    return this.#text.charCodeAt(this.#at);
  }
}

const readKey = (literal: string): string =>
  literal.length < MAX_KEY_LENGTH && literal.includes('\\')
    ? (JSON.parse(literal) as string)
    : literal.slice(1, literal.length < MAX_KEY_LENGTH ? -1 : undefined);

/** Maximum keys per object and CSV columns: PostgreSQL tables have at most 1,600 columns. */
export const MAX_KEYS = 1_600;

/** Returns the error for an invalid body. */
export const bodyError = (message: string, details?: string, hint?: string): GatewayError =>
  new GatewayError(400, 'PGRST102', message, { details: details ?? null, hint: hint ?? null });
