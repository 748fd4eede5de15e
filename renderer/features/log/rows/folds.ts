import type { LinePosition, LogStream } from './line-rows.ts';

/** Lines folded below the first line of their group, all in the same stream. */
export interface Fold {
  readonly stream: LogStream;
  /** The line of `::group::`, which stays visible. */
  readonly head: number;
  /** The last hidden line, usually that of `::endgroup::`. */
  readonly last: number;
}

/** Maps between the visible lines of one stream and their indexes. */
export interface VisibleLines {
  /** Returns the number of visible lines before a line. */
  countBefore(line: number): number;
  /** Returns the line at a 0-based index. */
  at(index: number): number;
  /** Returns the index of a line; for a folded line, the index of its group's first line. */
  indexOf(line: number): number;
}

/** All lines of a stream, without folds. */
export const allLines: VisibleLines = {
  countBefore: (line) => line,
  at: (index) => index,
  indexOf: (line) => line,
};

/** Returns the visible lines for the folds of a stream. @param folds sorted, not overlapping */
export function visibleLinesOf(folds: readonly Fold[]): VisibleLines {
  let before = 0;
  const hidden = folds.map(({ head, last }) => {
    const one = { head, last, before };
    before += last - head;
    return one;
  });
  if (hidden.length === 0) return allLines;
  const countBefore = (line: number): number => {
    const fold = hidden.findLast(({ head }) => head < line);
    return fold ? Math.max(fold.head + 1, line - (fold.last - fold.head)) - fold.before : line;
  };
  return {
    countBefore,
    at(index) {
      const fold = hidden.findLast((one) => one.head - one.before < index);
      return fold ? index + fold.before + fold.last - fold.head : index;
    },
    // The line after a hidden one follows the first line of the group.
    indexOf: (line) => countBefore(line + 1) - 1,
  };
}

export const foldsOfStream = (folds: readonly Fold[], stream: LogStream): readonly Fold[] =>
  folds.filter((fold) => fold.stream === stream);

/** Returns the fold that hides a line. */
export const findEnclosingFold = (folds: readonly Fold[], { stream, line }: LinePosition): Fold | undefined =>
  foldsOfStream(folds, stream).find(({ head, last }) => head < line && line <= last);

/** Adds a fold; folds inside it are merged into it. */
export const addFold = (folds: readonly Fold[], added: Fold): readonly Fold[] =>
  folds
    .filter((one) => one.stream !== added.stream || one.last < added.head || one.head > added.last)
    .concat(added)
    .toSorted((a, b) => a.head - b.head);
