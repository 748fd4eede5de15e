/** A statement of a script, without the final semicolon. */
export interface ScriptPart {
  readonly text: string;
  /** Start offset in the script, in UTF-16 code units. */
  readonly start: number;
}

const blankPattern = /\s+/y;
const lineCommentPattern = /--[^\n]*/y;
const commandPattern = /[^\n]*/y;
const namePattern = /[\p{L}_][\p{L}\p{N}_$]*/uy;
const numberPattern = /\d[\w.]*/y;
const dollarPattern = /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy;

/**
 * Splits a script at semicolons, except within strings, quoted names, comments, dollar quotes, parentheses and bodies
 * of SQL functions (`BEGIN ATOMIC … END`). Never throws: an unclosed part extends to the end, and PostgreSQL reports
 * the error.
 */
export function splitScript(sql: string): ScriptPart[] {
  return new ScriptScanner(sql).scan();
}

class ScriptScanner {
  readonly #sql: string;
  readonly #parts: ScriptPart[] = [];
  #at = 0;
  /** Start of the current statement; undefined before its first word. */
  #start: number | undefined;
  #parentheses = 0;
  /** Number of open `BEGIN ATOMIC` and `CASE`, each closed by an `END`. */
  #blocks = 0;
  #lastWord = '';

  constructor(sql: string) {
    this.#sql = sql;
  }

  scan(): ScriptPart[] {
    while (this.#at < this.#sql.length) this.#step();
    this.#endStatement();
    return this.#parts;
  }

  #step(): void {
    if (this.#skip(blankPattern) || this.#skip(lineCommentPattern)) return;
    if (this.#sql.startsWith('/*', this.#at)) return this.#skipComment();
    const character = this.#sql[this.#at]!;
    if (character === ';' && this.#parentheses === 0 && this.#blocks === 0) {
      this.#endStatement();
      this.#at += 1;
      return;
    }
    if (character === '\\' && this.#start === undefined) return this.#takeCommand();
    this.#start ??= this.#at;
    if (this.#takeQuoted() || this.#takeWord() || this.#skip(numberPattern)) return;
    if (character === '(') this.#parentheses += 1;
    if (character === ')' && this.#parentheses > 0) this.#parentheses -= 1;
    this.#at += 1;
  }

  /** Reads a psql command, which extends to the end of its line. */
  #takeCommand(): void {
    this.#start = this.#at;
    this.#skip(commandPattern);
    this.#endStatement();
  }

  #endStatement(): void {
    if (this.#start !== undefined)
      this.#parts.push({ text: this.#sql.slice(this.#start, this.#at).trimEnd(), start: this.#start });
    this.#start = undefined;
    this.#parentheses = 0;
    this.#blocks = 0;
    this.#lastWord = '';
  }

  #takeQuoted(): boolean {
    const character = this.#sql[this.#at]!;
    if (character === "'" || character === '"') return this.#takeEnclosed(character);
    if (character !== '$') return false;
    const tag = this.#match(dollarPattern);
    if (tag === undefined) return false;
    const end = this.#sql.indexOf(tag, this.#at + tag.length);
    this.#at = end < 0 ? this.#sql.length : end + tag.length;
    return true;
  }

  /** Reads quoted text. A doubled quote and an escaped character belong to the content. */
  #takeEnclosed(quote: string, escape?: string): boolean {
    this.#at += 1;
    while (this.#at < this.#sql.length) {
      const character = this.#sql[this.#at];
      const isDoubled = character === quote && this.#sql[this.#at + 1] === quote;
      this.#at += isDoubled || character === escape ? 2 : 1;
      if (character === quote && !isDoubled) break;
    }
    this.#at = Math.min(this.#at, this.#sql.length);
    return true;
  }

  #takeWord(): boolean {
    const word = this.#match(namePattern);
    if (word === undefined) return false;
    this.#at += word.length;
    const lower = word.toLowerCase();
    if (lower === 'e' && this.#sql[this.#at] === "'") return this.#takeEnclosed("'", '\\');
    if (lower === 'atomic' && this.#lastWord === 'begin') this.#blocks += 1;
    else if (lower === 'case' && this.#blocks > 0) this.#blocks += 1;
    else if (lower === 'end' && this.#blocks > 0) this.#blocks -= 1;
    this.#lastWord = lower;
    return true;
  }

  /** Skips a block comment. Block comments nest. */
  #skipComment(): void {
    let depth = 0;
    do {
      const opens = this.#sql.startsWith('/*', this.#at);
      const closes = this.#sql.startsWith('*/', this.#at);
      if (opens) depth += 1;
      if (closes) depth -= 1;
      this.#at += opens || closes ? 2 : 1;
    } while (depth > 0 && this.#at < this.#sql.length);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#sql)?.[0];
  }

  #skip(pattern: RegExp): boolean {
    const matched = this.#match(pattern);
    if (matched === undefined || matched === '') return false;
    this.#at += matched.length;
    return true;
  }
}
