import type { LinePlace, LogStream } from './line-rows.ts';

/** Lines folded away behind the line that begins their group, of whose stream they all are. */
export interface Fold {
  readonly stream: LogStream;
  /** The line of `::group::`, which stays in sight. */
  readonly head: number;
  /** The last line that is hidden: that of `::endgroup::`, as a rule. */
  readonly last: number;
}

/** Which lines of one stream are to be seen, and the how-manieth each of them is. */
export interface ShownLines {
  /** How many of the lines before one are to be seen. */
  countBefore(line: number): number;
  /** The line that is the how-manieth, from 0. */
  at(index: number): number;
  /** The how-manieth a line is; that of the line which hides it when it is folded away. */
  indexOf(line: number): number;
}

/** Those of a stream of which nothing is folded. */
export const allLines: ShownLines = {
  countBefore: (line) => line,
  at: (index) => index,
  indexOf: (line) => line,
};

/** Those that the folds of a stream leave. @param folds in order, not overlapping */
export function shownLines(folds: readonly Fold[]): ShownLines {
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
    // Of a hidden line the next one that is seen stands one below what hides it.
    indexOf: (line) => countBefore(line + 1) - 1,
  };
}

export const foldsOf = (folds: readonly Fold[], stream: LogStream): readonly Fold[] =>
  folds.filter((fold) => fold.stream === stream);

/** The fold that hides a line. */
export const findHiding = (folds: readonly Fold[], { stream, line }: LinePlace): Fold | undefined =>
  foldsOf(folds, stream).find(({ head, last }) => head < line && line <= last);

/** Folds with one more, of which those within it are a part from now on. */
export const addFold = (folds: readonly Fold[], added: Fold): readonly Fold[] =>
  folds
    .filter((one) => one.stream !== added.stream || one.last < added.head || one.head > added.last)
    .concat(added)
    .toSorted((a, b) => a.head - b.head);
