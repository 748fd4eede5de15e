import { visibleText } from '../../../core/base/text.ts';
import type { Bridge } from '../../../core/contract/transport.ts';
import type { LogRef } from './log-line-cache.ts';

/** The group command in a line, as in GitHub Actions: `::group::Install`, `::endgroup::`. */
export type GroupMarker = { readonly kind: 'begin'; readonly title: string } | { readonly kind: 'end' };

const begin = /^(?:::group::|##\[group\])(.*)$/;
const groupEnd = /^(?:::endgroup::|##\[endgroup\])\s*$/;

/** Matches both in the engine's search; the end command is longer than the begin command. */
export const groupMarkerPattern = String.raw`^(?:::|##\[)(?:end)?group(?:::|\])`;

export function parseGroupMarker(line: string): GroupMarker | undefined {
  if (!line.includes('group')) return undefined;
  const text = visibleText(line);
  const found = begin.exec(text);
  if (found) return { kind: 'begin', title: found[1]!.trim() || 'Group' };
  return groupEnd.test(text) ? { kind: 'end' } : undefined;
}

/**
 * Returns the last line of the group that a line begins: its `::endgroup::`, or the line before the next group,
 * because the format does not nest groups; otherwise the end of the log.
 */
export function findGroupEnd(
  bridge: Bridge,
  address: LogRef,
  { line, total }: { readonly line: number; readonly total: number },
): Promise<number> {
  return new Promise((resolve) => {
    const finish = (last: number): void => {
      stop();
      resolve(last);
    };
    const stop = bridge.follow(
      'logs.search',
      { ...address, query: groupMarkerPattern, regex: true, from: line + 1, limit: 1 },
      {
        item({ hits }) {
          const [next] = hits;
          if (!next) return;
          const [, end = 0] = next.columns[0] ?? [];
          finish(end >= '::endgroup::'.length ? next.line : next.line - 1);
        },
        end: () => finish(total - 1),
      },
    );
  });
}

/** Lines folded below the first line of their group, all in the same stream. */
export interface Fold {
  readonly stream: LogStream;
  /** The line of `::group::`, which stays visible. */
  readonly head: number;
  /** The last hidden line, usually that of `::endgroup::`. */
  readonly last: number;
}

/** Maps between the visible lines of one stream and their indexes. */
interface VisibleLines {
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
export function getVisibleLines(folds: readonly Fold[]): VisibleLines {
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

export const filterFolds = (folds: readonly Fold[], stream: LogStream): readonly Fold[] =>
  folds.filter((fold) => fold.stream === stream);

/** Returns the fold that hides a line. */
export const findEnclosingFold = (folds: readonly Fold[], { stream, line }: LinePosition): Fold | undefined =>
  filterFolds(folds, stream).find(({ head, last }) => head < line && line <= last);

/** Adds a fold; folds inside it are merged into it. */
export const addFold = (folds: readonly Fold[], added: Fold): readonly Fold[] =>
  folds
    .filter((one) => one.stream !== added.stream || one.last < added.head || one.head > added.last)
    .concat(added)
    .toSorted((a, b) => a.head - b.head);

export type LogStream = 'stdout' | 'stderr';

/** One line of a log; 0-based. */
export interface LinePosition {
  readonly stream: LogStream;
  readonly line: number;
}

/** Maps rows to lines. Rows are 0-based and contiguous. */
export interface LineRows {
  readonly count: number;
  at(row: number): LinePosition;
  /** Returns the row of a line; for a folded line, the row of its group's first line. */
  getRow(position: LinePosition): number;
}

/** Rows of one stream. */
export const singleRows = (stream: LogStream, lines: number, shown = allLines): LineRows => ({
  count: shown.countBefore(lines),
  at: (row) => ({ stream, line: shown.at(row) }),
  getRow: ({ line }) => Math.max(0, shown.indexOf(Math.min(line, lines - 1))),
});

/** How many lines of each stream were complete at which time; all arrays have the same length. */
export interface TimeMarks {
  /** Epoch milliseconds, ascending. */
  readonly at: readonly number[];
  readonly stdout: readonly number[];
  readonly stderr: readonly number[];
}

/** A value per stream. */
type PerStream<Value> = Readonly<Record<LogStream, Value>>;

/**
 * Merges the lines of both streams by time. The order between two marks is unknown; stdout comes first there.
 * Folded lines of a stream affect only that stream.
 */
export function mergedRows(
  marks: TimeMarks,
  totals: PerStream<number>,
  shown: PerStream<VisibleLines> = { stdout: allLines, stderr: allLines },
): LineRows {
  const { length } = marks.at;
  const finished = (stream: LogStream, mark: number): number => {
    if (mark < 0) return 0;
    const total = totals[stream];
    return shown[stream].countBefore(mark >= length ? total : Math.min(marks[stream][mark]!, total));
  };
  const both = (mark: number): number => finished('stdout', mark) + finished('stderr', mark);
  const position = (stream: LogStream, index: number): LinePosition => ({
    stream,
    line: shown[stream].at(index),
  });
  return {
    count: both(length),
    at(row) {
      const mark = firstWhere(length, (candidate) => both(candidate) > row);
      const before = finished('stdout', mark - 1);
      const within = row - both(mark - 1);
      const stdoutCount = finished('stdout', mark) - before;
      if (within < stdoutCount) return position('stdout', before + within);
      return position('stderr', finished('stderr', mark - 1) + within - stdoutCount);
    },
    getRow({ stream, line }) {
      const index = shown[stream].indexOf(line);
      const mark = firstWhere(length, (candidate) => finished(stream, candidate) > index);
      return stream === 'stdout' ? finished('stderr', mark - 1) + index : finished('stdout', mark) + index;
    },
  };
}

/** Returns the upper bound of the time at which a line was complete, in epoch milliseconds. */
export function getTime(
  { stream, line }: LinePosition,
  marks: TimeMarks,
  finishedAt: number | undefined,
): number | undefined {
  const mark = firstWhere(marks.at.length, (candidate) => marks[stream][candidate]! > line);
  return marks.at[mark] ?? finishedAt;
}

/** Returns the first line written at or after a time. */
export function lineAtTime(stream: LogStream, time: number, marks: TimeMarks): number {
  const mark = firstWhere(marks.at.length, (candidate) => marks.at[candidate]! >= time);
  return mark === 0 ? 0 : marks[stream][mark - 1]!;
}

/**
 * Binary search: returns the first number below `length` that fits, if all after it fit too; `length` if none
 * does.
 */
function firstWhere(length: number, fits: (candidate: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (fits(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
