import { MAX_KEYS, refuseBody } from './refuse-body.ts';

/** What is known of JSON without having read its values. */
export interface JsonShape {
  /** `other` for a value that is neither. */
  readonly kind: 'object' | 'array' | 'other';
  /** For each object, or each object of an array, its keys in order. */
  readonly keys: readonly (readonly string[])[];
  /** Whether an array holds anything but objects. */
  readonly hasOthers: boolean;
  /** Whether an object has more keys than a table can have columns; the rest is not listed. */
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

/** Characters of a key that are read: names of PostgreSQL have 63 bytes. */
const MAX_KEY_LENGTH = 1_000;

/** So deep can values of a body be nested: databases give up a little further on. */
const MAX_DEPTH = 1_000;

/**
 * Finds the keys of a text that is valid JSON, in one pass and without making values of it: numbers have more digits
 * there than JavaScript keeps.
 */
export class JsonScanner {
  readonly #text: string;
  #at = 0;
  #hasTooManyKeys = false;

  constructor(validJson: string) {
    this.#text = validJson;
  }

  /** @throws GatewayError PGRST102 for what is nested too deep */
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
        if (depth > MAX_DEPTH) throw refuseBody(`The JSON is nested more than ${MAX_DEPTH} levels deep`);
      } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
        if (depth === 0) return;
        depth -= 1;
      } else if (code === COMMA && depth === 0) return;
    }
  }

  /** Steps over a string, from its first quote to behind its last. */
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
