/**
 * An automaton for name patterns. It follows all paths through a pattern at once, as bits of 32-bit words, so that a
 * character costs one step per 32 parts of the pattern, whatever the pattern and the name are. It never backtracks.
 */

/** Inclusive ranges of code points. */
export type CodePoints = readonly (readonly [from: number, to: number])[];

/** One part of a pattern: the characters it matches, and how often. */
export interface Part {
  readonly takes: CodePoints;
  /** 0 for an optional part. */
  readonly min: 0 | 1;
  /** Whether the part may repeat. */
  readonly many: boolean;
  /** Matches any number of whole directories, each with its slash; the other fields are then ignored. */
  readonly folders?: true;
}

/** Counts the steps of automata, so that a caller can yield to the event loop, and a test can compare costs. */
export interface Work {
  steps: number;
}

export const lastCodePoint = 0x10ffff;
export const anyCharacter: CodePoints = [[0, lastCodePoint]];
export const slash = 0x2f;

/** Returns the code points outside the ranges. */
export function invert(ranges: CodePoints): CodePoints {
  const inverted: [number, number][] = [];
  let next = 0;
  for (const [from, to] of ranges.toSorted(([one], [other]) => one - other)) {
    if (from > next) inverted.push([next, from - 1]);
    next = Math.max(next, to + 1);
  }
  if (next <= lastCodePoint) inverted.push([next, lastCodePoint]);
  return inverted;
}

/**
 * Returns for each word the mask of optional parts, and its closure by doubling: the positions that bits reach over 1,
 * 2, 4, 8 and 16 optional parts. Undefined when there is no optional part.
 */
function findOptionalClosure(mask: Int32Array): Int32Array | undefined {
  if (mask.every((word) => word === 0)) return undefined;
  const closures = new Int32Array(mask.length * 6);
  for (const [at, word] of mask.entries()) {
    closures[at * 6] = word;
    let over = word << 1;
    for (let power = 0; power < 5; power += 1) {
      closures[at * 6 + power + 1] = over;
      over &= over << (1 << power);
    }
  }
  return closures;
}

/** Returns the bits plus all positions they reach over optional parts. */
function extendOverOptional(closures: Int32Array, word: number, bits: number): number {
  const at = word * 6;
  bits |= closures[at + 1]! & (bits << 1);
  bits |= closures[at + 2]! & (bits << 2);
  bits |= closures[at + 3]! & (bits << 4);
  bits |= closures[at + 4]! & (bits << 8);
  return bits | (closures[at + 5]! & (bits << 16));
}

/** Matches whole names against the parts of a pattern. */
export class PatternAutomaton {
  readonly #words: number;
  readonly #end: number;
  /** Start of each class of code points that the pattern does not distinguish, ascending. */
  readonly #starts: Uint32Array;
  /** The class of each ASCII character. */
  readonly #ascii: Uint32Array;
  /** For each class, the parts that it leaves for the next one, and the parts that it stays in. */
  readonly #leave: Int32Array;
  readonly #stay: Int32Array;
  /** Optional parts. */
  readonly #optional: Int32Array | undefined;
  /** Directories, which are optional only before their first character. */
  readonly #folders: Int32Array | undefined;
  readonly #first: Int32Array;
  /** Reused between calls, which do not overlap. */
  readonly #reached: Int32Array;

  constructor(parts: readonly Part[]) {
    this.#words = Math.floor(parts.length / 32) + 1;
    this.#end = parts.length;
    this.#starts = findClasses(parts);
    this.#ascii = Uint32Array.from({ length: 128 }, (_, code) => this.#search(code));
    this.#leave = new Int32Array(this.#starts.length * this.#words);
    this.#stay = new Int32Array(this.#starts.length * this.#words);
    for (const [at, part] of parts.entries()) {
      const takes = part.folders ? anyCharacter : part.takes;
      this.#mark(this.#leave, at, part.folders ? [[slash, slash]] : takes);
      if (part.many || part.folders) this.#mark(this.#stay, at, takes);
    }
    this.#optional = findOptionalClosure(this.#toMask(parts, ({ min, folders }) => min === 0 && !folders));
    this.#folders = findOptionalClosure(this.#toMask(parts, ({ folders }) => folders === true));
    this.#first = this.#findFirst();
    this.#reached = new Int32Array(this.#words);
  }

  fits(name: string, work?: Work): boolean {
    const words = this.#words;
    const [ascii, leave, stay] = [this.#ascii, this.#leave, this.#stay];
    const [folders, optional] = [this.#folders, this.#optional];
    const reached = this.#reached;
    reached.set(this.#first);
    let alive = 1;
    let at = 0;
    for (; alive !== 0 && at < name.length; at += 1) {
      let code = name.charCodeAt(at);
      if (code >= 128) {
        code = name.codePointAt(at)!;
        if (code > 0xffff) at += 1;
      }
      const masks = (code < 128 ? ascii[code]! : this.#search(code)) * words;
      let [shifted, foldersCarry, optionalCarry] = [0, 0, 0];
      alive = 0;
      for (let word = 0; word < words; word += 1) {
        const before = reached[word]!;
        const leaving = before & leave[masks + word]!;
        let next = (leaving << 1) | shifted;
        shifted = leaving >>> 31;
        if (folders !== undefined) {
          next = extendOverOptional(folders, word, next | foldersCarry);
          foldersCarry = (next & folders[word * 6]!) >>> 31;
        }
        next |= before & stay[masks + word]!;
        if (optional !== undefined) {
          next = extendOverOptional(optional, word, next | optionalCarry);
          optionalCarry = (next & optional[word * 6]!) >>> 31;
        }
        reached[word] = next;
        alive |= next;
      }
    }
    if (work !== undefined) work.steps += (at + 1) * words;
    return alive !== 0 && (reached[this.#end >> 5]! & (1 << (this.#end & 31))) !== 0;
  }

  /** Returns the parts that a name may start with. */
  #findFirst(): Int32Array {
    const first = new Int32Array(this.#words);
    first[0] = 1;
    for (const closures of [this.#folders, this.#optional]) {
      if (closures === undefined) continue;
      for (let word = 0, carry = 0; word < this.#words; word += 1) {
        first[word] = extendOverOptional(closures, word, first[word]! | carry);
        carry = (first[word]! & closures[word * 6]!) >>> 31;
      }
    }
    return first;
  }

  /** Returns the class of a code point. */
  #search(code: number): number {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle]! <= code) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #mark(masks: Int32Array, part: number, ranges: CodePoints): void {
    for (const [from, to] of ranges) {
      const last = this.#search(to);
      for (let found = this.#search(from); found <= last; found += 1)
        masks[found * this.#words + (part >> 5)]! |= 1 << (part & 31);
    }
  }

  #toMask(parts: readonly Part[], has: (part: Part) => boolean): Int32Array {
    const mask = new Int32Array(this.#words);
    for (const [at, part] of parts.entries()) if (has(part)) mask[at >> 5]! |= 1 << (at & 31);
    return mask;
  }
}

/** Returns the start of each class of code points: all members are in the same ranges. */
function findClasses(parts: readonly Part[]): Uint32Array {
  const starts = new Set([0, slash, slash + 1]);
  for (const { takes } of parts) {
    for (const [from, to] of takes) {
      starts.add(from);
      if (to < lastCodePoint) starts.add(to + 1);
    }
  }
  return Uint32Array.from(starts).sort();
}

/** One element of a pattern in RE2 syntax. Every alternative ends at the next special character, so this is linear. */
const element =
  /\\Q(?<literal>.*?)(?:\\E|$)|\[\^?\]?(?:\\.|\[:\^?[a-z]*:\]|[^\]\\])*\]?|\\(?:[pPx]\{[^{}]*\}|[pP].|.)?|\{(?<least>\d{1,9})(?<comma>,(?<most>\d{0,9}))?\}|./gsu;

/** Compiling `\pL` costs as much as this many characters. */
const unicodeClassSize = 20;
/**
 * Compiling a range up to a non-ASCII character, whose other cases have to be found, costs as much as this many
 * characters.
 */
const wideRangeSize = 200;

/**
 * Estimates the size of a pattern when its counted repetitions are written out: an upper bound of the instructions that
 * it compiles to, without compiling it.
 */
export function estimatePatternSize(source: string): number {
  const outer: number[] = [];
  /** Size of the innermost open group, and of its last element, which a count may repeat. */
  let size = 0;
  let last = 0;
  let classes = 0;
  for (const { 0: text, groups = {} } of source.matchAll(element)) {
    if (text === '(') {
      outer.push(size);
      [size, last] = [0, 0];
    } else if (text === ')') {
      last = size + 3;
      size = (outer.pop() ?? 0) + last;
    } else if (groups['least'] !== undefined) {
      const min = Number(groups['least']);
      const max = groups['comma'] === undefined ? min : Number(groups['most'] || min + 1);
      const more = last * (Math.max(min, max, 1) - 1) + Math.max(0, max - min);
      size += more;
      last += more;
    } else {
      // A repetition of a literal repeats only its last character.
      last = 1;
      size += groups['literal']?.length ?? (/^[*+?|]$/.test(text) ? 2 : 1);
      classes += measureClasses(text);
    }
  }
  return outer.reduce((sum, each) => sum + each, size) + classes + 3;
}

function measureClasses(text: string): number {
  const unicode = text.match(/\\[pP]/g)?.length ?? 0;
  const wide = text.startsWith('[') ? (text.match(/-(?:\\|[^\0-\x7f])/g)?.length ?? 0) : 0;
  return unicode * unicodeClassSize + wide * wideRangeSize;
}
