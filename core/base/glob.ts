import { expandBraces } from './braces.ts';
import {
  anyCharacter,
  invert,
  PatternAutomaton,
  type CodePoints,
  type Part,
  type Work,
} from './pattern-automaton.ts';

/** Longest glob, in characters. */
export const MAX_GLOB_LENGTH = 1024;

/** Most alternatives that the braces of one glob can expand to. */
export const MAX_GLOB_ALTERNATIVES = 100;

/** Most characters of all these alternatives together. */
const maxExpandedLength = 8192;

export interface GlobOptions {
  /** Whether wildcards match names that start with a dot. */
  readonly dot?: boolean;
  /** Whether braces are literal. */
  readonly noBraces?: boolean;
  /** Whether names with wildcards ignore the case of ASCII letters. */
  readonly ignoreCase?: boolean;
}

/** A part of a glob between two slashes. */
type Segment =
  | { readonly kind: 'folders' }
  | { readonly kind: 'end' }
  | { readonly kind: 'name'; readonly literal: string }
  | {
      readonly kind: 'name';
      readonly literal: undefined;
      readonly fits: (name: string, work?: Work) => boolean;
    };

/** State of matching the paths below a directory: positions in a glob, ascending. */
export type GlobState = readonly number[];

/**
 * A glob for paths with `/` as the separator: `*` and `?` do not match `/`, `**` between slashes matches any number of
 * directories, `[a-z]`, `[!a-z]` and `[[:digit:]]` match one character of a set, `{a,b}` and `{1..5}` are alternatives,
 * `\` escapes the next character. Wildcards do not match names that start with a dot. Matching takes time proportional
 * to the product of the lengths of path and glob at most.
 */
export class Glob {
  readonly text: string;
  /** The first part that looks like an extended glob, such as `+(`, which is treated as literal. */
  readonly extended: string | undefined;
  readonly #segments: readonly Segment[];
  readonly #dot: boolean;
  readonly start: GlobState;

  constructor(text: string, alternatives: readonly string[], options: GlobOptions) {
    this.text = text;
    this.extended = /[?*+@!]\(/.exec(text)?.[0];
    this.#dot = options.dot ?? false;
    const each = alternatives.map((alternative) => readSegments(alternative, options));
    this.#segments = each.flat();
    const starts: number[] = [];
    let at = 0;
    for (const { length } of each) {
      starts.push(at);
      at += length;
    }
    this.start = this.#close(starts);
  }

  /** Whether a path matches. */
  fits(path: string, work?: Work): boolean {
    let state = this.start;
    for (const name of path.split('/')) state = this.step(state, name, work);
    return this.accepts(state);
  }

  /** Whether a path or one of its parent directories matches. */
  fitsWithin(names: readonly string[]): boolean {
    let state = this.start;
    for (const name of names) {
      state = this.step(state, name);
      if (this.accepts(state)) return true;
      if (state.length === 0) return false;
    }
    return false;
  }

  /** Returns the state after a name below a directory; empty when nothing at or below it matches. */
  step(state: GlobState, name: string, work?: Work): GlobState {
    const reached: number[] = [];
    const isHidden = !this.#dot && name.startsWith('.');
    for (const at of state) {
      if (work !== undefined) work.steps += 1;
      const segment = this.#segments[at]!;
      if (segment.kind === 'folders') {
        if (!isHidden) reached.push(at);
      } else if (segment.kind === 'name') {
        const fits = segment.literal === undefined ? segment.fits(name, work) : segment.literal === name;
        if (fits) reached.push(at + 1);
      }
    }
    return this.#close(reached);
  }

  accepts(state: GlobState): boolean {
    return state.some((at) => this.#segments[at]!.kind === 'end');
  }

  /** Returns the names that can match from this state; undefined when the directory has to be listed. */
  literalsAt(state: GlobState): readonly string[] | undefined {
    const literals = new Set<string>();
    for (const at of state) {
      const segment = this.#segments[at]!;
      if (segment.kind === 'end') continue;
      if (segment.kind === 'folders' || segment.literal === undefined) return undefined;
      literals.add(segment.literal);
    }
    return [...literals];
  }

  /** Adds the positions that are reached without a name, because `**` can match no directories. */
  #close(positions: readonly number[]): GlobState {
    const closed = new Set<number>();
    for (let at of positions) {
      while (!closed.has(at)) {
        closed.add(at);
        if (this.#segments[at]!.kind === 'folders') at += 1;
      }
    }
    return [...closed];
  }
}

/** Parses a glob, or returns the problem as a phrase that follows the glob. */
export function parseGlob(text: string, options: GlobOptions = {}): Glob | { readonly problem: string } {
  if (text.length > MAX_GLOB_LENGTH)
    return { problem: `has ${text.length} characters. The limit for a glob is ${MAX_GLOB_LENGTH}.` };
  if (options.noBraces) return new Glob(text, [text], options);
  const expanded = expandBraces(text, { count: MAX_GLOB_ALTERNATIVES, length: maxExpandedLength });
  if (!('count' in expanded)) return new Glob(text, expanded, options);
  return {
    problem:
      expanded.count > MAX_GLOB_ALTERNATIVES
        ? `has ${expanded.count > 1e6 ? 'more than a million' : expanded.count} brace alternatives. The limit is ${MAX_GLOB_ALTERNATIVES}; use "*", or several globs.`
        : `has alternatives with ${expanded.length} characters in total. The limit is ${maxExpandedLength}; use several globs.`,
  };
}

function readSegments(alternative: string, options: GlobOptions): Segment[] {
  const segments: Segment[] = [];
  for (const text of alternative.split('/')) {
    if (text !== '**') segments.push(readName(text, options));
    else if (segments.at(-1)?.kind !== 'folders') segments.push({ kind: 'folders' });
  }
  // The contents of a directory do not include the directory itself.
  if (segments.at(-1)?.kind === 'folders') segments.push(readName('*', options));
  segments.push({ kind: 'end' });
  return segments;
}

function readName(text: string, { dot = false, ignoreCase = false }: GlobOptions): Segment {
  const pieces = readPieces([...text]);
  if (pieces.every((piece) => typeof piece === 'string')) return { kind: 'name', literal: pieces.join('') };
  const parts = pieces.map((piece): Part => {
    const part =
      typeof piece === 'string' ? ({ takes: getRange(piece, piece), min: 1, many: false } as const) : piece;
    return ignoreCase ? { ...part, takes: ignoringCase(part.takes) } : part;
  });
  const automaton = new PatternAutomaton(parts);
  const isHiddenOut = !dot && typeof pieces[0] !== 'string';
  return {
    kind: 'name',
    literal: undefined,
    fits: (name, work) => !(isHiddenOut && name.startsWith('.')) && automaton.fits(name, work),
  };
}

/** Parses characters, and parts for wildcards. */
function readPieces(characters: readonly string[]): (string | Part)[] {
  const pieces: (string | Part)[] = [];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at]!;
    const set = character === '[' ? readSet(characters, at) : undefined;
    if (set !== undefined) {
      pieces.push({ takes: set.takes, min: 1, many: false });
      at = set.end;
    } else if (character === '?') pieces.push({ takes: anyCharacter, min: 1, many: false });
    else if (character === '*') {
      if (characters[at - 1] !== '*' || typeof pieces.at(-1) === 'string')
        pieces.push({ takes: anyCharacter, min: 0, many: true });
    } else pieces.push(character === '\\' && at + 1 < characters.length ? characters[++at]! : character);
  }
  return pieces;
}

/** Named ASCII character classes of POSIX. */
const named: Readonly<Record<string, string>> = {
  alnum: '09AZaz',
  alpha: 'AZaz',
  blank: '\t\t  ',
  cntrl: '\0\x1f\x7f\x7f',
  digit: '09',
  graph: '!~',
  lower: 'az',
  print: ' ~',
  punct: '!/:@[`{~',
  space: '\t\r  ',
  upper: 'AZ',
  word: '09AZ__az',
  xdigit: '09AFaf',
};

/** Parses a character set, as in `[a-z_]`, `[!a-z]` and `[[:digit:]]`; returns undefined when it is not closed. */
function readSet(
  characters: readonly string[],
  start: number,
): { takes: CodePoints; end: number } | undefined {
  const isNegative = characters[start + 1] === '!' || characters[start + 1] === '^';
  const first = start + (isNegative ? 2 : 1);
  const end = findSetEnd(characters, first);
  if (end === undefined) return undefined;
  const ranges: CodePoints[number][] = [];
  for (let at = first; at < end; at += 1) {
    const name = nameAt(characters, at);
    if (name !== undefined) {
      ranges.push(...(named[name]!.match(/../gs) ?? []).flatMap(([from, to]) => getRange(from!, to!)));
      at += name.length + 3;
      continue;
    }
    if (characters[at] === '\\') at += 1;
    const from = characters[at]!;
    const isRange = characters[at + 1] === '-' && at + 2 < end;
    ranges.push(...getRange(from, isRange ? characters[at + 2]! : from));
    if (isRange) at += 2;
  }
  return { takes: isNegative ? invert(ranges) : ranges, end };
}

/** Finds the `]` that closes a set; the first character of a set may be a `]`. */
function findSetEnd(characters: readonly string[], first: number): number | undefined {
  for (let at = first; at < characters.length; at += 1) {
    if (characters[at] === ']' && at > first) return at;
    if (characters[at] === '\\') at += 1;
    else at += (nameAt(characters, at)?.length ?? -3) + 3;
  }
  return undefined;
}

/** Returns the name of a character class, as in `[:digit:]`. */
function nameAt(characters: readonly string[], at: number): string | undefined {
  if (characters[at] !== '[' || characters[at + 1] !== ':') return undefined;
  const end = characters.indexOf(':', at + 2);
  if (end < 0 || end > at + 8 || characters[end + 1] !== ']') return undefined;
  const name = characters.slice(at + 2, end).join('');
  return Object.hasOwn(named, name) ? name : undefined;
}

function getRange(from: string, to: string): CodePoints {
  const [first, last] = [from.codePointAt(0)!, to.codePointAt(0)!];
  return first <= last ? [[first, last]] : [];
}

/** Adds the other case of ASCII letters. */
function ignoringCase(ranges: CodePoints): CodePoints {
  const other = (from: string, by: number): CodePoints => {
    const first = from.codePointAt(0)!;
    return ranges
      .map(([low, high]) => [Math.max(low, first) + by, Math.min(high, first + 25) + by] as const)
      .filter(([low, high]) => low <= high);
  };
  return [...ranges, ...other('A', 32), ...other('a', -32)];
}
