import {
  type HereDocument,
  findBodyEnd,
  readHereOperator,
  readBareReference,
  readBracedReference,
} from './shell-words.ts';

/** A part of shell text as the scanner splits it. */
type ShellPart =
  /** Left as it is. */
  | { readonly kind: 'text'; readonly text: string }
  | ShellReference
  /** A command in backticks with references; the parts are its text without the outer level of backslashes. */
  | { readonly kind: 'backticks'; readonly parts: readonly ShellPart[] };

/**
 * A position where a shell would expand something and the text may refer to a value of Stepwright. The text up to the
 * closing brace, for example a default value, is in the following parts.
 */
export interface ShellReference {
  readonly kind: 'reference';
  /** As written, with `$` or `${` but without the closing brace. */
  readonly written: string;
  readonly name: string;
  /** Keys and indexes as written; empty for a slice of the variable itself. */
  readonly path: string;
  /** Offset and length with their colons, as written, or empty. */
  readonly slice: string;
  /** Whether an operator for an empty value follows. */
  readonly hasDefault: boolean;
  readonly braced: boolean;
}

/** Joins the parts and formats each reference with `write`. */
export function writeParts(
  parts: readonly ShellPart[],
  write: (reference: ShellReference) => string,
): string {
  return parts
    .map((part) => {
      switch (part.kind) {
        case 'text':
          return part.text;
        case 'reference':
          return write(part);
        case 'backticks':
          return `\`${writeParts(part.parts, write).replaceAll(/[\\`]/g, '\\$&')}\``;
      }
    })
    .join('');
}

/** Lists all references, including those in backticks. */
export function listReferences(parts: readonly ShellPart[]): ShellReference[] {
  return parts.flatMap((part) => {
    switch (part.kind) {
      case 'text':
        return [];
      case 'reference':
        return [part];
      case 'backticks':
        return listReferences(part.parts);
    }
  });
}

/**
 * What a closing parenthesis closes: arithmetic, another parenthesis, or a `case` pattern (which has no opening one).
 */
type Frame = 'arithmetic' | 'parentheses' | 'case';

/** A sequence of commands: the whole text or the content of a substitution. */
interface CommandLevel {
  readonly frames: Frame[];
  /** Whether `#` starts a comment here. */
  wordStart: boolean;
  /** Whether a reserved word is recognized here. */
  commandStart: boolean;
  /** Here-documents whose bodies start at the next line. */
  documents: HereDocument[];
}

const openLevel = (): CommandLevel => ({
  frames: [],
  wordStart: true,
  commandStart: true,
  documents: [],
});

/** Called after an operator or the end of a line. */
function beginCommand(level: CommandLevel): void {
  level.wordStart = true;
  level.commandStart = true;
}

/** Called after a part of a word. */
function continueWord(level: CommandLevel): void {
  level.wordStart = false;
  level.commandStart = false;
}

/** Whether the level is in arithmetic, where `<<` is a shift and `#` a base. */
const isArithmetic = ({ frames }: CommandLevel): boolean => frames.at(-1) === 'arithmetic';

/**
 * Opens a parenthesis, or both of `((…))`.
 * @returns the number of characters consumed
 */
function openParenthesis(level: CommandLevel, isDouble: boolean): number {
  const inner: Frame = isArithmetic(level) ? 'arithmetic' : 'parentheses';
  if (isDouble && level.commandStart) level.frames.push('arithmetic', 'arithmetic');
  else level.frames.push(inner);
  const consumed = isDouble && level.commandStart ? 2 : 1;
  beginCommand(level);
  return consumed;
}

/** Closes a parenthesis of this level. The end of a `case` pattern closes none. */
function closeParenthesis(level: CommandLevel): void {
  if (level.frames.at(-1) !== 'case') level.frames.pop();
  beginCommand(level);
}

const reservedWord =
  /(?:if|then|else|elif|do|while|until|for|time|!|\{|case(?=[ \t\n])|esac)(?=[ \t\n;&|()<>]|$)/y;

/**
 * Consumes a reserved word where one is allowed. `case` matters because its patterns end with an unopened parenthesis.
 * @returns its length, or 0
 */
function takeReservedWord(level: CommandLevel, text: string, position: number): number {
  if (!level.wordStart || !level.commandStart) return 0;
  reservedWord.lastIndex = position;
  const word = reservedWord.exec(text)?.[0];
  if (word === undefined) return 0;
  if (word === 'case') level.frames.push('case');
  if (word === 'esac' && level.frames.at(-1) === 'case') level.frames.pop();
  level.wordStart = false;
  level.commandStart = word !== 'case' && word !== 'esac';
  return word.length;
}

/** Maximum nesting of substitutions; deeper ones are left as they are. */
const maxDepth = 100;

const plainInCommand = /[^\\'"`$\s#;&|()<>]+/y;
const plainInQuotes = /[^\\"`$]+/y;
const plainInBraces = /[^\\'"`$}]+/y;
/** The parameter after `${`. */
const bracedSubject = /[#!]?(?:[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?$!-])?/y;
/**
 * Operators whose word is parsed like the surrounding text; the words of other operators have different quoting rules.
 */
const defaultOperator = /:?[-=+?]/y;

/**
 * Finds the references in a text that a POSIX shell would expand: in double quotes, here-documents, arithmetic and
 * substitutions, but not in single quotes, comments, quoted here-documents or after a backslash. Takes one pass and
 * accepts any text; from an unclosed quote on, the text is left as it is.
 * @param options.ansiQuotes `$'…'` has backslash escapes, as in all shells but `dash`
 */
export function scanShellText(text: string, options: { readonly ansiQuotes: boolean }): ShellPart[] {
  return new ShellTextScanner(text, options.ansiQuotes, 0).scan('commands');
}

/** The methods return false if the text ends too early. */
class ShellTextScanner {
  readonly #text: string;
  readonly #ansiQuotes: boolean;
  #depth: number;
  #at = 0;
  #textStart = 0;
  readonly #parts: ShellPart[] = [];

  constructor(text: string, ansiQuotes: boolean, depth: number) {
    this.#text = text;
    this.#ansiQuotes = ansiQuotes;
    this.#depth = depth;
  }

  scan(mode: 'commands' | 'body'): ShellPart[] {
    const level = openLevel();
    while (this.#at < this.#text.length) {
      const { length } = this.#parts;
      const textStart = this.#textStart;
      const isClosed = mode === 'commands' ? this.#stepInCommands(level) : this.#stepInQuotes();
      if (isClosed) continue;
      this.#parts.length = length;
      this.#textStart = textStart;
      break;
    }
    this.#flush(this.#text.length);
    return this.#parts;
  }

  #flush(end: number): void {
    if (end > this.#textStart)
      this.#parts.push({ kind: 'text', text: this.#text.slice(this.#textStart, end) });
    this.#textStart = end;
  }

  #push(reference: ShellReference): void {
    this.#flush(this.#at);
    this.#parts.push(reference);
    this.#at += reference.written.length;
    this.#textStart = this.#at;
  }

  #skip(pattern: RegExp): void {
    pattern.lastIndex = this.#at;
    this.#at += pattern.exec(this.#text)?.[0].length ?? 0;
  }

  /** Consumes one character, word or quoted string. */
  #stepInCommands(level: CommandLevel): boolean {
    switch (this.#text[this.#at]) {
      case '\n':
        this.#at += 1;
        beginCommand(level);
        this.#readBodies(level);
        return true;
      case ' ':
      case '\t':
        this.#at += 1;
        level.wordStart = true;
        return true;
      case ';':
      case '&':
      case '|':
        this.#at += 1;
        beginCommand(level);
        return true;
      case '(':
        this.#at += openParenthesis(level, this.#text[this.#at + 1] === '(');
        return true;
      case ')':
        this.#at += 1;
        closeParenthesis(level);
        return true;
      case '<':
      case '>':
        this.#readRedirection(level);
        return true;
      default:
        return this.#stepInWord(level);
    }
  }

  #stepInWord(level: CommandLevel): boolean {
    const character = this.#text[this.#at]!;
    if (character === '\\' && this.#text[this.#at + 1] === '\n') {
      this.#at += 2;
      return true;
    }
    if (character === '#' && level.wordStart && !isArithmetic(level)) {
      const end = this.#text.indexOf('\n', this.#at);
      this.#at = end === -1 ? this.#text.length : end;
      return true;
    }
    const reserved = takeReservedWord(level, this.#text, this.#at);
    this.#at += reserved;
    if (reserved > 0) return true;
    continueWord(level);
    switch (character) {
      case "'":
        return this.#readSingleQuotes();
      case '"':
        return this.#readDoubleQuotes();
      case '\\':
      case '`':
      case '$':
        return this.#readSpecial(false);
      default:
        this.#at += 1;
        this.#skip(plainInCommand);
        return true;
    }
  }

  #stepInQuotes(): boolean {
    if ('\\`$'.includes(this.#text[this.#at]!)) return this.#readSpecial(true);
    this.#at += 1;
    this.#skip(plainInQuotes);
    return true;
  }

  #readSingleQuotes(): boolean {
    const closing = this.#text.indexOf("'", this.#at + 1);
    this.#at = closing + 1;
    return closing !== -1;
  }

  #readDoubleQuotes(): boolean {
    this.#at += 1;
    while (this.#at < this.#text.length) {
      if (this.#text[this.#at] === '"') {
        this.#at += 1;
        return true;
      }
      if (!this.#stepInQuotes()) return false;
    }
    return false;
  }

  /** Consumes a backslash, backtick or dollar sign, which mean the same inside and outside double quotes. */
  #readSpecial(quoted: boolean): boolean {
    switch (this.#text[this.#at]) {
      case '\\':
        this.#at = Math.min(this.#at + 2, this.#text.length);
        return true;
      case '`':
        return this.#readBackticks(quoted);
      default:
        return this.#readDollar(quoted);
    }
  }

  #readDollar(quoted: boolean): boolean {
    switch (this.#text[this.#at + 1]) {
      case '(':
        return this.#nest(() => this.#readSubstitution());
      case '{':
        return this.#nest(() => this.#readBraces(quoted));
      case "'":
        return quoted || !this.#ansiQuotes ? this.#readBareDollar() : this.#readAnsiQuotes();
      default:
        return this.#readBareDollar();
    }
  }

  #nest(read: () => boolean): boolean {
    if (this.#depth >= maxDepth) return false;
    this.#depth += 1;
    const isClosed = read();
    this.#depth -= 1;
    return isClosed;
  }

  #readBareDollar(): boolean {
    const reference = readBareReference(this.#text, this.#at);
    if (reference !== undefined) {
      this.#push(reference);
      return true;
    }
    // The next character could otherwise start another construct, as in `$#`.
    this.#at += /[0-9#?$!*@-]/.test(this.#text[this.#at + 1] ?? '') ? 2 : 1;
    return true;
  }

  #readAnsiQuotes(): boolean {
    this.#at += 2;
    while (this.#at < this.#text.length) {
      if (this.#text[this.#at] === "'") {
        this.#at += 1;
        return true;
      }
      this.#at += this.#text[this.#at] === '\\' ? 2 : 1;
    }
    return false;
  }

  /** `$(…)` and `$((…))`. */
  #readSubstitution(): boolean {
    const level = openLevel();
    this.#at += 2;
    if (this.#text[this.#at] === '(') {
      level.frames.push('arithmetic');
      this.#at += 1;
    }
    while (this.#at < this.#text.length) {
      if (this.#text[this.#at] === ')' && level.frames.length === 0) {
        this.#at += 1;
        return true;
      }
      if (!this.#stepInCommands(level)) return false;
    }
    return false;
  }

  #readBraces(quoted: boolean): boolean {
    const reference = readBracedReference(this.#text, this.#at);
    if (reference !== undefined) this.#push(reference);
    else {
      this.#at += 2;
      this.#skip(bracedSubject);
    }
    defaultOperator.lastIndex = this.#at;
    const isApostrophe = quoted && defaultOperator.test(this.#text);
    while (this.#at < this.#text.length) {
      const character = this.#text[this.#at]!;
      if (character === '}') {
        this.#at += 1;
        return true;
      }
      if (!this.#stepInBraces(character, quoted, isApostrophe)) return false;
    }
    return false;
  }

  #stepInBraces(character: string, quoted: boolean, isApostrophe: boolean): boolean {
    switch (character) {
      case "'":
        if (!isApostrophe) return this.#readSingleQuotes();
        this.#at += 1;
        return true;
      case '"':
        return this.#readDoubleQuotes();
      case '\\':
      case '`':
      case '$':
        return this.#readSpecial(quoted);
      default:
        this.#skip(plainInBraces);
        return true;
    }
  }

  /**
   * Consumes a command in backticks. It ends at the next unescaped backtick, whatever is quoted inside; then one level
   * of backslashes is removed.
   */
  #readBackticks(quoted: boolean): boolean {
    const start = this.#at + 1;
    let closing = start;
    while (closing < this.#text.length && this.#text[closing] !== '`')
      closing += this.#text[closing] === '\\' ? 2 : 1;
    if (closing >= this.#text.length) return false;
    const removable = quoted ? /\\([\\`$"])/g : /\\([\\`$])/g;
    const inner = this.#text.slice(start, closing).replaceAll(removable, '$1');
    if (this.#depth < maxDepth) {
      const parts = new ShellTextScanner(inner, this.#ansiQuotes, this.#depth + 1).scan('commands');
      if (parts.some(({ kind }) => kind !== 'text')) {
        this.#flush(this.#at);
        this.#parts.push({ kind: 'backticks', parts });
        this.#textStart = closing + 1;
      }
    }
    this.#at = closing + 1;
    return true;
  }

  #readRedirection(level: CommandLevel): void {
    const isDocument = this.#text.startsWith('<<', this.#at) && !isArithmetic(level);
    if (isDocument && this.#text[this.#at + 2] !== '<') {
      const { document, end } = readHereOperator(this.#text, this.#at);
      level.documents.push(document);
      this.#at = end;
      continueWord(level);
      return;
    }
    this.#at += isDocument ? 3 : 1;
    level.wordStart = true;
  }

  #readBodies(level: CommandLevel): void {
    for (const document of level.documents) {
      const { end, next } = findBodyEnd(this.#text, this.#at, document);
      if (!document.quoted && this.#depth < maxDepth) {
        this.#flush(this.#at);
        const body = this.#text.slice(this.#at, end);
        for (const part of new ShellTextScanner(body, this.#ansiQuotes, this.#depth + 1).scan('body'))
          this.#parts.push(part);
        this.#textStart = end;
      }
      this.#at = next;
    }
    level.documents = [];
  }
}
