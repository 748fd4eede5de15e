import { RE2JS, RE2JSException, RE2JSSyntaxException } from 're2js';
import { AppError } from './errors.ts';
import { truncate } from './text.ts';
import { estimatePatternSize } from './pattern-automaton.ts';

/** Most characters of a pattern. */
export const maxPatternLength = 4_000;
/**
 * Largest size of a pattern with its counted repetitions written out. Compiling a larger one, or matching it against a
 * single line, would take longer than 100 ms.
 */
const maxPatternSize = 4_000;

/** A pattern in a request to a thread. */
export interface PatternSource {
  readonly source: string;
  readonly ignoreCase?: boolean;
  /** `^` and `$` also match at line ends. */
  readonly multiline?: boolean;
}

/** A regular expression in RE2 syntax: matching takes time proportional to its size and the input, never more. */
export class Pattern {
  readonly source: PatternSource;
  /** Highest number of steps per character of the input. */
  readonly size: number;
  readonly #compiled: RE2JS;

  constructor(source: PatternSource, compiled: RE2JS, size: number) {
    this.source = source;
    this.#compiled = compiled;
    this.size = size;
  }

  /** Ajv identifies patterns by this. */
  toString(): string {
    return this.source.source;
  }

  /** Whether any part of the string matches. */
  test(text: string): boolean {
    return this.#compiled.test(text);
  }

  /** Returns the indexes of the lines that match, at most `limit`. */
  findLines(lines: readonly string[], limit: number): number[] {
    const found: number[] = [];
    for (const [index, line] of lines.entries()) {
      if (found.length === limit) break;
      if (this.test(line)) found.push(index);
    }
    return found;
  }

  /** Yields the start and end of each match, from left to right. Quadratic in the length of the string at worst. */
  *matchAll(text: string): Generator<[start: number, end: number]> {
    // Most strings have no match, and `test` is faster than locating one.
    if (!this.test(text)) return;
    const matcher = this.#compiled.matcher(text);
    while (matcher.find()) yield [matcher.start(), matcher.end()];
  }
}

/**
 * Compiles a regular expression that a user wrote.
 * @throws `bad_request` with the cause, the position of the character, and a fix
 */
export function compilePattern(source: string, options: Omit<PatternSource, 'source'> = {}): Pattern {
  if (source.length > maxPatternLength)
    throw patternError(
      `the pattern has ${source.length} characters (the limit is ${maxPatternLength})`,
      'Shorten it',
    );
  const estimate = estimatePatternSize(source);
  checkSize(estimate);
  const flags =
    (options.ignoreCase === true ? RE2JS.CASE_INSENSITIVE : 0) |
    (options.multiline === true ? RE2JS.MULTILINE : 0);
  const compiled = compile(source, flags);
  const size = Math.max(estimate, compiled.programSize());
  checkSize(size);
  return new Pattern({ source, ...options }, compiled, size);
}

function compile(source: string, flags: number): RE2JS {
  try {
    return RE2JS.compile(source, flags);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const translated = translateEscapes(source);
    if (translated !== source) return compile(translated, flags);
    throw toPatternError(source, error);
  }
}

/**
 * Translates escapes of JavaScript patterns, which version 0.1.0 accepted: RE2 writes `\u0041` and `\cA` differently.
 */
const translateEscapes = (source: string): string =>
  source.replaceAll(
    /\\(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|c([a-z])|.)/gis,
    (escape, long?: string, short?: string, control?: string) => {
      const hex = long ?? short ?? (control && (control.charCodeAt(0) % 32).toString(16));
      return hex === undefined ? escape : `\\x{${hex}}`;
    },
  );

function checkSize(size: number): void {
  if (size > maxPatternSize)
    throw patternError(
      `the pattern with its repetitions expanded has size ${size} (the limit is ${maxPatternSize})`,
      'Use smaller counts in {}, or * and +',
    );
}

/** JavaScript syntax that RE2 does not support, by its prefix. */
const unsupported: readonly (readonly [beginning: RegExp, name: string])[] = [
  [/^\(\?[=!]/, 'a lookahead'],
  [/^\(\?<[=!]/, 'a lookbehind'],
  [/^\\[1-9k]/, 'a backreference'],
  [/^\(\?>/, 'an atomic group'],
];

function toPatternError(source: string, cause: RE2JSException): AppError {
  if (!(cause instanceof RE2JSSyntaxException)) return patternError(cause.message, 'Simplify it');
  const { error, input } = cause;
  const position = `at character ${source.indexOf(input ?? '') + 1}`;
  for (const [beginning, name] of unsupported) {
    const [text] = beginning.exec(input ?? '') ?? [];
    if (text !== undefined)
      return patternError(
        `"${text}" ${position} is ${name}, which RE2 syntax does not support`,
        'Rewrite the pattern, or use a command such as "grep -P"',
      );
  }
  // For unbalanced brackets the compiler quotes the whole pattern.
  if (input === null || /closing|unexpected/.test(error)) return patternError(error, hintFor(error));
  return patternError(`${error} "${truncate(input, 60)}" ${position}`, hintFor(error));
}

function hintFor(error: string): string {
  if (error === 'invalid repeat count') return 'Use counts of at most 1,000, with the smaller number first';
  if (error.startsWith('missing closing'))
    return `Add the "${error.at(-1)}", or escape the opening bracket with "\\"`;
  return 'Fix the pattern, or escape special characters with "\\"';
}

const patternError = (problem: string, remedy: string): AppError =>
  new AppError('bad_request', `Invalid regular expression: ${problem}. ${remedy}.`);
