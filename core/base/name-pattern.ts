import {
  anyCharacter,
  invert,
  PatternAutomaton,
  slash,
  type CodePoints,
  type Part,
  type Work,
} from './pattern-automaton.ts';

/**
 * A pattern for names of branches, tags and files, as in GitHub Actions: `*` does not match `/`, `**` matches
 * everything, `?` and `+` apply to the character before them, `[…]` matches one character of a set, `\` escapes the
 * next. A pattern matches whole names only.
 */
export interface NamePattern {
  readonly text: string;
  /** A pattern that starts with `!` excludes names. */
  readonly negative: boolean;
  /** @param work counts the steps */
  fits(name: string, work?: Work): boolean;
}

/** Most patterns in one list, and most characters of all of them together. */
export const MAX_PATTERNS = 200;
export const MAX_PATTERN_CHARACTERS = 16_384;

/** Longest pattern, and longest name to match; both are external input. */
const maxLength = 1024;

/** Parses a pattern, or returns the problem. */
export function parseNamePattern(text: string): NamePattern | { readonly problem: string } {
  if (text === '' || text === '!') return { problem: 'The pattern is empty.' };
  if (text.length > maxLength) return { problem: `The pattern has more than ${maxLength} characters.` };
  const negative = text.startsWith('!');
  const parts = readParts(negative ? text.slice(1) : text);
  if ('problem' in parts) return parts;
  const automaton = new PatternAutomaton(parts.parts);
  return {
    text,
    negative,
    fits: (name, work) => name.length <= maxLength && automaton.fits(name, work),
  };
}

/** Whether a name passes: the last pattern that matches it must be a positive one. */
export function matchesPatterns(patterns: readonly NamePattern[], name: string, work?: Work): boolean {
  return patterns.findLast((pattern) => pattern.fits(name, work))?.negative === false;
}

const noSlash: CodePoints = invert([[slash, slash]]);

function readParts(text: string): { readonly parts: readonly Part[] } | { readonly problem: string } {
  const parts: Part[] = [];
  const characters = [...text];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at]!;
    if (character === '*') {
      const double = characters[at + 1] === '*';
      if (double && isFolders(characters, at)) {
        parts.push({ takes: anyCharacter, min: 1, many: false, folders: true });
        at += 2;
        continue;
      }
      if (double) at += 1;
      parts.push({ takes: double ? anyCharacter : noSlash, min: 0, many: true });
    } else if (character === '?' || character === '+') {
      const before = parts.pop();
      if (before === undefined) return { problem: `Missing character before "${character}".` };
      parts.push({
        ...before,
        min: character === '?' ? 0 : before.min,
        many: before.many || character === '+',
      });
    } else if (character === '[') {
      const end = characters.indexOf(']', at + 2);
      if (end < 0) return { problem: 'Missing "]" after "[".' };
      parts.push(single(readSet(characters.slice(at + 1, end))));
      at = end;
    } else {
      const literal = character === '\\' && at + 1 < characters.length ? characters[++at]! : character;
      parts.push(single([[getCode(literal), getCode(literal)]]));
    }
  }
  return { parts };
}

/** Whether `**` and the slash after it match whole directories: at the start, and after a slash. */
const isFolders = (characters: readonly string[], at: number): boolean =>
  characters[at + 2] === '/' &&
  (at === 0 || characters[at - 1] === '/') &&
  // With an optional slash, `**` alone is equivalent.
  characters[at + 3] !== '?';

const single = (takes: CodePoints): Part => ({ takes, min: 1, many: false });

const getCode = (character: string): number => character.codePointAt(0)!;

/** Parses characters and ranges such as `0-9`. */
function readSet(characters: readonly string[]): CodePoints {
  const ranges: [number, number][] = [];
  for (let at = 0; at < characters.length; at += 1) {
    const from = getCode(characters[at]!);
    const isRange = characters[at + 1] === '-' && at + 2 < characters.length;
    const to = isRange ? getCode(characters[at + 2]!) : from;
    if (from <= to) ranges.push([from, to]);
    if (isRange) at += 2;
  }
  return ranges;
}
