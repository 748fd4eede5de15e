import type { PatternTree, SearchState } from './pattern-tree.ts';

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
