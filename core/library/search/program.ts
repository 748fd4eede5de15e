/** Code points, ascending or not; both ends are in it. */
export type Range = readonly [number, number];

/** Which characters an instruction takes. */
export interface CharacterSet {
  readonly ranges: readonly Range[];
  /** All others instead. */
  readonly isNegated: boolean;
}

/** What a place between two characters has to be. */
export type Assertion = 'start' | 'end' | 'boundary' | 'no_boundary';

/** One instruction of a program; numbers are places in it. */
export type Instruction =
  | { readonly kind: 'take'; readonly set: CharacterSet }
  | { readonly kind: 'assert'; readonly that: Assertion }
  | { readonly kind: 'split'; first: number; second: number }
  | { readonly kind: 'jump'; to: number }
  | { readonly kind: 'found' };

/** A pattern, ready to be looked for; ends with `found`. */
export type Program = readonly Instruction[];

const word: readonly Range[] = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];

/** Characters that `\d`, `\w` and `\s` stand for. */
export const namedSets: Readonly<Record<string, readonly Range[]>> = {
  d: [[0x30, 0x39]],
  w: word,
  s: [
    [0x09, 0x0d],
    [0x20, 0x20],
    [0xa0, 0xa0],
    [0x2028, 0x2029],
    [0x3000, 0x3000],
    [0xfeff, 0xfeff],
  ],
};

const isIn = (ranges: readonly Range[], code: number): boolean =>
  ranges.some(([low, high]) => low <= code && code <= high);

/** Whether it is a letter, digit or `_` as `\b` means it. */
export const isWord = (code: number | undefined): boolean => code !== undefined && isIn(word, code);

/** Whether a set takes a character, in upper or lower case. */
export function takes({ ranges, isNegated }: CharacterSet, code: number): boolean {
  const isThere = isIn(ranges, code) || otherCases(code).some((other) => isIn(ranges, other));
  return isThere !== isNegated;
}

function otherCases(code: number): number[] {
  if (code >= 0x41 && code <= 0x5a) return [code + 0x20];
  if (code >= 0x61 && code <= 0x7a) return [code - 0x20];
  if (code < 0x80) return [];
  const text = String.fromCodePoint(code);
  return [text.toLowerCase(), text.toUpperCase()].map((other) => other.codePointAt(0)!);
}
