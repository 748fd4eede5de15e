import { clip } from './clip.ts';

/** Where a text stops being JSON, and what should stand there. */
export interface JsonFault {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units as editors count. */
  readonly column: number;
  /** A sentence's end: `"," or "}" is expected, not "x"`. */
  readonly message: string;
}

/** What the next sign may begin, with the words for it where they do not depend on what is open. */
const expectations = {
  value: 'a value',
  valueOrEnd: 'a value or "]"',
  name: 'a name in double quotes',
  nameOrEnd: 'a name in double quotes or "}"',
  colon: '":"',
  separator: '","',
} as const;

type Expectation = keyof typeof expectations;

/** So deep are objects and lists followed. */
const deepest = 1_000;

const blanks = /[ \t\n\r]*/y;
const literal = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])/y;
// oxlint-disable-next-line no-control-regex -- JSON takes none of these inside a text
const plainText = /[^"\\\u0000-\u001F]*/y;
const escape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const word = /[\w.+-]+|[^]/uy;

/**
 * Finds the first place at which a text is no JSON (RFC 8259). What JavaScript says of it names a place for some faults
 * only, and in other words with each release.
 * @returns undefined for JSON, and for what is nested more than 1,000 deep before its first fault
 */
export function findJsonFault(text: string): JsonFault | undefined {
  return new FaultFinder(text).find();
}

/** The fault as part of a sentence: `line 1, column 9: a value is expected, not "}"`. */
export const formatJsonFault = ({ line, column, message }: JsonFault): string =>
  `line ${line}, column ${column}: ${message}`;

/** The same for a text that has turned out to be no JSON. */
export function describeJsonFault(text: string): string {
  const fault = findJsonFault(text);
  return fault === undefined ? 'it is nested too deep' : formatJsonFault(fault);
}

class FaultFinder {
  readonly #text: string;
  /** The signs that end what is open. */
  readonly #open: ('}' | ']')[] = [];
  #at: number;
  #expects: Expectation = 'value';

  constructor(text: string) {
    this.#text = text;
    this.#at = text.startsWith('\uFEFF') ? 1 : 0;
  }

  find(): JsonFault | undefined {
    while (this.#open.length <= deepest) {
      this.#take(blanks);
      const isDone = this.#expects === 'separator' && this.#open.length === 0;
      if (isDone) return this.#sign === '' ? undefined : this.#expected('nothing more');
      const fault = this.#takeToken();
      if (fault !== undefined) return fault;
    }
    return undefined;
  }

  /** The next character; empty at the end. */
  get #sign(): string {
    return this.#text.charAt(this.#at);
  }

  #takeToken(): JsonFault | undefined {
    const closing = this.#open.at(-1);
    const mayEnd =
      this.#expects === 'separator' || this.#expects === 'valueOrEnd' || this.#expects === 'nameOrEnd';
    if (mayEnd && this.#sign === closing) {
      this.#open.pop();
      return this.#step('separator');
    }
    switch (this.#expects) {
      case 'separator':
        if (this.#sign === ',') return this.#step(closing === '}' ? 'name' : 'value');
        return this.#expected(`${expectations.separator} or "${closing}"`);
      case 'colon':
        return this.#sign === ':' ? this.#step('value') : this.#expected();
      case 'name':
      case 'nameOrEnd':
        return this.#sign === '"' ? this.#takeText('colon') : this.#expected();
      case 'value':
      case 'valueOrEnd':
        return this.#takeValue();
    }
  }

  #takeValue(): JsonFault | undefined {
    if (this.#sign === '"') return this.#takeText('separator');
    if (this.#sign === '{') {
      this.#open.push('}');
      return this.#step('nameOrEnd');
    }
    if (this.#sign === '[') {
      this.#open.push(']');
      return this.#step('valueOrEnd');
    }
    if (!this.#take(literal)) return this.#expected();
    this.#expects = 'separator';
    return undefined;
  }

  /** A text in double quotes. */
  #takeText(next: Expectation): JsonFault | undefined {
    this.#at += 1;
    do this.#take(plainText);
    while (this.#take(escape));
    if (this.#sign === '"') return this.#step(next);
    if (this.#sign === '\\') return this.#fault(String.raw`an escape such as \n, \" or \u00e9 is expected`);
    if (this.#sign === '') return this.#expected('the closing double quote');
    return this.#fault(
      String.raw`a text holds no line break, tab or other control character: write \n, \t or \u0000`,
    );
  }

  /** Goes past one character. */
  #step(next: Expectation): undefined {
    this.#at += 1;
    this.#expects = next;
  }

  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const found = pattern.test(this.#text);
    if (found) this.#at = pattern.lastIndex;
    return found;
  }

  #expected(what: string = expectations[this.#expects]): JsonFault {
    word.lastIndex = this.#at;
    const [found] = word.exec(this.#text) ?? [];
    const instead = found === undefined ? 'but the text ends' : `not ${JSON.stringify(clip(found, 20))}`;
    return this.#fault(`${what} is expected, ${instead}`);
  }

  #fault(message: string): JsonFault {
    let line = 1;
    let start = 0;
    for (
      let end = this.#text.indexOf('\n');
      end >= 0 && end < this.#at;
      end = this.#text.indexOf('\n', start)
    ) {
      line += 1;
      start = end + 1;
    }
    return { line, column: this.#at - start + 1, message };
  }
}
