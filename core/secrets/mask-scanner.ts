import type { PatternTree, SearchState } from './pattern-tree.ts';

/** Replacement for a secret. */
export const mask = '*******';

const maskBytes = Buffer.from(mask);

/** A range of the input from `start` (inclusive) to `end` (exclusive), in bytes from the start of the input. */
interface Stretch {
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
  #found: Stretch[] = [];

  constructor(tree: PatternTree) {
    this.#tree = tree;
  }

  /** Processes a chunk and returns the output. Only holds back what may be the start of a pattern. */
  push(piece: Uint8Array): Uint8Array[] {
    const tree = this.#tree;
    const held = tree.prefix(this.#state);
    const start = this.#seen;
    let state = this.#state;
    for (let at = 0; at < piece.length; at += 1) {
      state = tree.advance(state, piece[at]!);
      if (state === 0) continue;
      const length = tree.matched(state);
      if (length > 0) this.#add({ start: start + at + 1 - length, end: start + at + 1 });
      state = tree.relax(state);
    }
    this.#state = state;
    this.#seen = start + piece.length;
    return this.#giveOut(this.#seen - tree.prefix(state).length, (from, to) =>
      cut(held, piece, { start: from - start, end: to - start }),
    );
  }

  /** Returns the held-back bytes at the end of the input. */
  finish(): Uint8Array[] {
    const held = this.#tree.prefix(this.#state);
    const start = this.#seen - held.length;
    this.#state = 0;
    return this.#giveOut(this.#seen, (from, to) => [held.subarray(from - start, to - start)]);
  }

  /** Merges a range with the ranges that it overlaps. */
  #add(added: Stretch): void {
    let { start } = added;
    for (let last = this.#found.at(-1); last && last.end > start; last = this.#found.at(-1)) {
      start = Math.min(start, last.start);
      this.#found.pop();
    }
    if (start < this.#maskedTo) this.#maskedTo = added.end;
    else this.#found.push({ start, end: added.end });
  }

  /** Returns everything before `limit`, where no longer pattern can start. */
  #giveOut(limit: number, read: (from: number, to: number) => Uint8Array[]): Uint8Array[] {
    const out: Uint8Array[] = [];
    const show = (to: number): void => {
      const from = Math.max(this.#done, this.#maskedTo);
      if (from < to) out.push(...read(from, to));
      this.#done = Math.max(this.#done, to);
    };
    let used = 0;
    for (const { start, end } of this.#found) {
      if (start >= limit) break;
      used += 1;
      show(start);
      out.push(maskBytes);
      this.#maskedTo = end;
    }
    this.#found.splice(0, used);
    show(limit);
    return out;
  }
}

/** Returns a range of the held-back bytes and a new chunk, where offset 0 is the start of the chunk. */
function cut(held: Uint8Array, piece: Uint8Array, { start, end }: Stretch): Uint8Array[] {
  if (start >= 0) return [piece.subarray(start, end)];
  const head = held.subarray(held.length + start, Math.min(held.length + end, held.length));
  return end > 0 ? [head, piece.subarray(0, end)] : [head];
}
