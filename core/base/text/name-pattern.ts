/**
 * A pattern for names of branches, tags and files, as GitHub Actions has them: `*` goes not over `/`, `**` over
 * everything, `?` and `+` are about the character before them, `[…]` is one of some characters, `\` takes the next
 * as it is. A pattern fits whole names only.
 */
export interface Pattern {
  readonly text: string;
  /** A pattern that begins with `!` takes names out again. */
  readonly negative: boolean;
  fits(name: string): boolean;
}

/** Longest pattern, and longest name that is looked at; both come from outside. */
const longest = 1024;

/** Reads a pattern, or says what is wrong with it. */
export function parsePattern(text: string): Pattern | { readonly problem: string } {
  if (text === '' || text === '!') return { problem: 'A pattern cannot be empty.' };
  if (text.length > longest) return { problem: `A pattern has at most ${longest} characters.` };
  const negative = text.startsWith('!');
  const parts = readParts(negative ? text.slice(1) : text);
  if ('problem' in parts) return parts;
  return { text, negative, fits: (name) => name.length <= longest && fitsParts(parts.parts, name) };
}

/** Names pass when the last pattern that fits them is a positive one; with none at all, none passes. */
export function passes(patterns: readonly Pattern[], name: string): boolean {
  return patterns.findLast((pattern) => pattern.fits(name))?.negative === false;
}

/** One thing of a pattern, and how many of it there may be. */
interface Part {
  readonly takes: (character: string) => boolean;
  readonly min: 0 | 1;
  readonly many: boolean;
  /** How many parts from here on may be left out together. */
  readonly skips?: number;
}

const anything = (): boolean => true;
const nothing = (): boolean => false;
const noSlash = (character: string): boolean => character !== '/';

/** Comes before `**` that stands for whole folders: there may be none, and then no slash after them either. */
const maybeFolders: Part = { takes: nothing, min: 0, many: false, skips: 3 };

function readParts(text: string): { readonly parts: readonly Part[] } | { readonly problem: string } {
  const parts: Part[] = [];
  const characters = [...text];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at]!;
    if (character === '*') {
      const double = characters[at + 1] === '*';
      const folders = double && characters[at + 2] === '/' && (at === 0 || characters[at - 1] === '/');
      if (double) at += 1;
      if (folders) parts.push(maybeFolders);
      parts.push({ takes: double ? anything : noSlash, min: 0, many: true });
    } else if (character === '?' || character === '+') {
      const before = parts.pop();
      if (before === undefined) return { problem: `"${character}" has no character before it.` };
      parts.push({
        ...before,
        min: character === '?' ? 0 : before.min,
        many: before.many || character === '+',
      });
    } else if (character === '[') {
      const end = characters.indexOf(']', at + 2);
      if (end < 0) return { problem: '"[" has no "]" after it.' };
      parts.push(one(readSet(characters.slice(at + 1, end))));
      at = end;
    } else {
      const literal = character === '\\' && at + 1 < characters.length ? characters[++at]! : character;
      parts.push(one((other) => other === literal));
    }
  }
  return { parts };
}

const one = (takes: Part['takes']): Part => ({ takes, min: 1, many: false });

/** Characters and ranges such as `0-9`. */
function readSet(characters: readonly string[]): Part['takes'] {
  const single = new Set<string>();
  const ranges: [string, string][] = [];
  for (let at = 0; at < characters.length; at += 1) {
    if (characters[at + 1] === '-' && at + 2 < characters.length) {
      ranges.push([characters[at]!, characters[at + 2]!]);
      at += 2;
    } else {
      single.add(characters[at]!);
    }
  }
  return (character) =>
    single.has(character) || ranges.some(([from, to]) => character >= from && character <= to);
}

/**
 * Walks all ways through the pattern side by side, so that its time is the product of both lengths at most, whatever
 * the pattern.
 */
function fitsParts(parts: readonly Part[], name: string): boolean {
  let reached = new Set([0]);
  skipEmpty(parts, reached);
  for (const character of name) {
    const next = new Set<number>();
    for (const at of reached) {
      const part = parts[at];
      if (part?.takes(character)) {
        next.add(at + 1);
        if (part.many) next.add(at);
      }
    }
    skipEmpty(parts, next);
    reached = next;
    if (reached.size === 0) return false;
  }
  return reached.has(parts.length);
}

/** Adds the places that are reached with no character more; what is added is looked at in its turn. */
function skipEmpty(parts: readonly Part[], reached: Set<number>): void {
  for (const at of reached) {
    if (parts[at]?.min === 0) reached.add(at + 1);
    const { skips } = parts[at] ?? {};
    if (skips !== undefined) reached.add(at + skips);
  }
}
