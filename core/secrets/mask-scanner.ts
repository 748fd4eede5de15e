import type { PatternTree, SearchState } from './pattern-tree.ts';

/** What stands in the place of a secret. */
export const mask = '*******';

const maskBytes = Buffer.from(mask);

/** A stretch of the input from `start` up to, not including, `end`; counted from the first byte of all. */
interface Stretch {
  readonly start: number;
  readonly end: number;
}

/**
 * Replaces patterns in bytes that come piece by piece. Where occurrences overlap, their whole stretch becomes one
 * mask, so that no end of one is left over; that also makes the result independent of how the input is cut.
 * Time and memory are linear in the input and the patterns.
 */
export class MaskScanner {
  readonly #tree: PatternTree;
  #state: SearchState = 0;
  /** Bytes seen in all. */
  #seen = 0;
  /** Bytes given out or masked. */
  #done = 0;
  /** Up to where the mask given out last reaches. */
  #maskedTo = 0;
  /** Stretches to be masked behind that, apart from each other, in order. */
  #found: Stretch[] = [];

  constructor(tree: PatternTree) {
    this.#tree = tree;
  }

  /** Takes a piece; returns what may be shown. Held back is only what may be the beginning of a pattern. */
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

  /** What is still held back when nothing more comes. */
  finish(): Uint8Array[] {
    const held = this.#tree.prefix(this.#state);
    const start = this.#seen - held.length;
    this.#state = 0;
    return this.#giveOut(this.#seen, (from, to) => [held.subarray(from - start, to - start)]);
  }

  /** Joins a stretch with those that it overlaps. */
  #add(added: Stretch): void {
    let { start } = added;
    for (let last = this.#found.at(-1); last && last.end > start; last = this.#found.at(-1)) {
      start = Math.min(start, last.start);
      this.#found.pop();
    }
    if (start < this.#maskedTo) this.#maskedTo = added.end;
    else this.#found.push({ start, end: added.end });
  }

  /** Gives out everything before `limit`: no pattern that ends later begins there. */
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

/** A part of what was held back and a new piece, where 0 is the beginning of the piece. */
function cut(held: Uint8Array, piece: Uint8Array, { start, end }: Stretch): Uint8Array[] {
  if (start >= 0) return [piece.subarray(start, end)];
  const head = held.subarray(held.length + start, Math.min(held.length + end, held.length));
  return end > 0 ? [head, piece.subarray(0, end)] : [head];
}
