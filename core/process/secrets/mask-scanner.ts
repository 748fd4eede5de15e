/** Replacement for a secret. */
export const mask = '*******';

const maskBytes = Buffer.from(mask);

/** A range of the input from `start` (inclusive) to `end` (exclusive), in bytes from the start of the input. */
interface MatchRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Replaces patterns in a byte stream. Overlapping occurrences become one mask, so that no part of one remains; this
 * also makes the result independent of how the input is split into chunks. Time and memory are linear in the size of
 * the input and the patterns.
 */
export class MaskScanner {
  readonly #tree: PatternTree;
  #state: SearchState = 0;
  /** Total number of input bytes. */
  #seen = 0;
  /** Number of bytes returned or masked. */
  #done = 0;
  /** End of the last mask that was returned. */
  #maskedTo = 0;
  /** Ranges to mask after that, disjoint and in order. */
  #matches: MatchRange[] = [];

  constructor(tree: PatternTree) {
    this.#tree = tree;
  }

  /** Processes a chunk and returns the output. Only holds back what may be the start of a pattern. */
  push(chunk: Uint8Array): Uint8Array[] {
    const tree = this.#tree;
    const pending = tree.prefix(this.#state);
    const start = this.#seen;
    let state = this.#state;
    for (let at = 0; at < chunk.length; at += 1) {
      state = tree.advance(state, chunk[at]!);
      if (state === 0) continue;
      const length = tree.matched(state);
      if (length > 0) this.#add({ start: start + at + 1 - length, end: start + at + 1 });
      state = tree.relax(state);
    }
    this.#state = state;
    this.#seen = start + chunk.length;
    return this.#emit(this.#seen - tree.prefix(state).length, (from, to) =>
      cut(pending, chunk, { start: from - start, end: to - start }),
    );
  }

  /** Returns the held-back bytes at the end of the input. */
  finish(): Uint8Array[] {
    const pending = this.#tree.prefix(this.#state);
    const start = this.#seen - pending.length;
    this.#state = 0;
    return this.#emit(this.#seen, (from, to) => [pending.subarray(from - start, to - start)]);
  }

  /** Merges a range with the ranges that it overlaps. */
  #add(added: MatchRange): void {
    let { start } = added;
    for (let last = this.#matches.at(-1); last && last.end > start; last = this.#matches.at(-1)) {
      start = Math.min(start, last.start);
      this.#matches.pop();
    }
    if (start < this.#maskedTo) this.#maskedTo = added.end;
    else this.#matches.push({ start, end: added.end });
  }

  /** Returns everything before `limit`, where no longer pattern can start. */
  #emit(limit: number, read: (from: number, to: number) => Uint8Array[]): Uint8Array[] {
    const output: Uint8Array[] = [];
    const copyUntil = (to: number): void => {
      const from = Math.max(this.#done, this.#maskedTo);
      if (from < to) output.push(...read(from, to));
      this.#done = Math.max(this.#done, to);
    };
    let emitted = 0;
    for (const { start, end } of this.#matches) {
      if (start >= limit) break;
      emitted += 1;
      copyUntil(start);
      output.push(maskBytes);
      this.#maskedTo = end;
    }
    this.#matches.splice(0, emitted);
    copyUntil(limit);
    return output;
  }
}

/** Returns a range of the held-back bytes and a new chunk, where offset 0 is the start of the chunk. */
function cut(pending: Uint8Array, chunk: Uint8Array, { start, end }: MatchRange): Uint8Array[] {
  if (start >= 0) return [chunk.subarray(start, end)];
  const head = pending.subarray(pending.length + start, Math.min(pending.length + end, pending.length));
  return end > 0 ? [head, chunk.subarray(0, end)] : [head];
}

/** State of the search: the longest prefix of a pattern that the input so far ends with. 0 is the empty prefix. */
type SearchState = number;

const bytes = 256;

/**
 * Finds any of a set of patterns in one pass over any number of bytes (Aho and Corasick, 1975). Takes 25 bytes of
 * memory for each byte of a pattern, which matters for a secret of a mebibyte.
 */
export class PatternTree {
  readonly #patterns: readonly Uint8Array[];
  /** Transitions from the root by byte, because most bytes of the input are looked up there. */
  readonly #fromRoot = new Int32Array(bytes);
  readonly #firstChild: Int32Array;
  readonly #nextSibling: Int32Array;
  readonly #label: Uint8Array;
  /** A pattern that starts with the prefix of the state. */
  readonly #pattern: Int32Array;
  readonly #depth: Int32Array;
  /** The next shorter state that the input also ends with. */
  readonly #shorter: Int32Array;
  /** Length of the longest pattern that ends here; 0 for none. */
  readonly #matched: Int32Array;
  #size = 1;

  /** @param patterns none of them empty */
  constructor(patterns: readonly Uint8Array[]) {
    this.#patterns = patterns;
    const max = patterns.reduce((sum, { length }) => sum + length, 1);
    this.#firstChild = new Int32Array(max);
    this.#nextSibling = new Int32Array(max);
    this.#label = new Uint8Array(max);
    this.#pattern = new Int32Array(max);
    this.#depth = new Int32Array(max);
    this.#shorter = new Int32Array(max);
    this.#matched = new Int32Array(max);
    for (const [index, pattern] of patterns.entries()) this.#insert(index, pattern);
    this.#link();
  }

  get isEmpty(): boolean {
    return this.#patterns.length === 0;
  }

  /** Returns the state after one more byte. */
  advance(from: SearchState, byte: number): SearchState {
    let state = from;
    while (state !== 0) {
      const child = this.#findChild(state, byte);
      if (child !== 0) return child;
      state = this.#shorter[state]!;
    }
    return this.#fromRoot[byte]!;
  }

  /** Returns the length of the longest pattern that ends in this state; 0 for none. */
  matched(state: SearchState): number {
    return this.#matched[state]!;
  }

  /** Returns the state without prefixes that can no longer become a match. */
  relax(from: SearchState): SearchState {
    let state = from;
    while (state !== 0 && this.#firstChild[state] === 0) state = this.#shorter[state]!;
    return state;
  }

  /** Returns the bytes of a state's prefix. */
  prefix(state: SearchState): Uint8Array {
    return state === 0
      ? new Uint8Array()
      : this.#patterns[this.#pattern[state]!]!.subarray(0, this.#depth[state]);
  }

  #insert(index: number, pattern: Uint8Array): void {
    let state = 0;
    for (const byte of pattern) {
      const child = state === 0 ? this.#fromRoot[byte]! : this.#findChild(state, byte);
      state = child === 0 ? this.#addChild(state, byte, index) : child;
    }
    this.#matched[state] = pattern.length;
  }

  #addChild(parent: SearchState, byte: number, pattern: number): SearchState {
    const child = this.#size;
    this.#size += 1;
    this.#label[child] = byte;
    this.#pattern[child] = pattern;
    this.#depth[child] = this.#depth[parent]! + 1;
    this.#nextSibling[child] = this.#firstChild[parent]!;
    this.#firstChild[parent] = child;
    if (parent === 0) this.#fromRoot[byte] = child;
    return child;
  }

  #findChild(state: SearchState, byte: number): SearchState {
    let child = this.#firstChild[state]!;
    while (child !== 0 && this.#label[child] !== byte) child = this.#nextSibling[child]!;
    return child;
  }

  /** Shorter states first, because longer ones are derived from them. */
  #link(): void {
    const queue = new Int32Array(this.#size);
    let end = 1;
    for (let at = 0; at < end; at += 1) {
      const state = queue[at]!;
      for (let child = this.#firstChild[state]!; child !== 0; child = this.#nextSibling[child]!) {
        queue[end] = child;
        end += 1;
        if (state === 0) continue;
        const shorter = this.advance(this.#shorter[state]!, this.#label[child]!);
        this.#shorter[child] = shorter;
        if (this.#matched[child] === 0) this.#matched[child] = this.#matched[shorter]!;
      }
    }
  }
}
