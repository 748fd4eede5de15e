import { allLines, type VisibleLines } from './folds.ts';

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
  rowOf(position: LinePosition): number;
}

/** Rows of one stream. */
export const singleRows = (stream: LogStream, lines: number, shown = allLines): LineRows => ({
  count: shown.countBefore(lines),
  at: (row) => ({ stream, line: shown.at(row) }),
  rowOf: ({ line }) => Math.max(0, shown.indexOf(Math.min(line, lines - 1))),
});

/** How many lines of each stream were complete at which time; all arrays have the same length. */
export interface TimeMarks {
  /** Epoch milliseconds, ascending. */
  readonly at: readonly number[];
  readonly stdout: readonly number[];
  readonly stderr: readonly number[];
}

/** A value per stream. */
type OfBoth<Value> = Readonly<Record<LogStream, Value>>;

/**
 * Merges the lines of both streams by time. The order between two marks is unknown; stdout comes first there.
 * Folded lines of a stream affect only that stream.
 */
export function mergedRows(
  marks: TimeMarks,
  totals: OfBoth<number>,
  shown: OfBoth<VisibleLines> = { stdout: allLines, stderr: allLines },
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
      const ofStdout = finished('stdout', mark) - before;
      if (within < ofStdout) return position('stdout', before + within);
      return position('stderr', finished('stderr', mark - 1) + within - ofStdout);
    },
    rowOf({ stream, line }) {
      const index = shown[stream].indexOf(line);
      const mark = firstWhere(length, (candidate) => finished(stream, candidate) > index);
      return stream === 'stdout' ? finished('stderr', mark - 1) + index : finished('stdout', mark) + index;
    },
  };
}

/** Returns the upper bound of the time at which a line was complete, in epoch milliseconds. */
export function timeOf(
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
