import { allLines, type ShownLines } from './folds.ts';

export type LogStream = 'stdout' | 'stderr';

/** One line of a log; 0-based. */
export interface LinePlace {
  readonly stream: LogStream;
  readonly line: number;
}

/** Which line stands in which row. Rows are 0-based and without gaps. */
export interface LineRows {
  readonly count: number;
  at(row: number): LinePlace;
  /** The row of a line; the row of what hides it when it is folded away. */
  rowOf(place: LinePlace): number;
}

/** The lines of one stream, one below the other. */
export const singleRows = (stream: LogStream, lines: number, shown = allLines): LineRows => ({
  count: shown.countBefore(lines),
  at: (row) => ({ stream, line: shown.at(row) }),
  rowOf: ({ line }) => Math.max(0, shown.indexOf(Math.min(line, lines - 1))),
});

/** How many lines of both streams were finished at which times; each array as long as the others. */
export interface TimeMarks {
  /** Epoch milliseconds, ascending. */
  readonly at: readonly number[];
  readonly stdout: readonly number[];
  readonly stderr: readonly number[];
}

/** Of both streams. */
type OfBoth<Value> = Readonly<Record<LogStream, Value>>;

/**
 * The lines of both streams by the times at which they were written. Between two marks the order is not known: there
 * those of stdout come first. What a stream has folded away is missed by that stream alone.
 */
export function mergedRows(
  marks: TimeMarks,
  totals: OfBoth<number>,
  shown: OfBoth<ShownLines> = { stdout: allLines, stderr: allLines },
): LineRows {
  const { length } = marks.at;
  const finished = (stream: LogStream, mark: number): number => {
    if (mark < 0) return 0;
    const total = totals[stream];
    return shown[stream].countBefore(mark >= length ? total : Math.min(marks[stream][mark]!, total));
  };
  const both = (mark: number): number => finished('stdout', mark) + finished('stderr', mark);
  const place = (stream: LogStream, index: number): LinePlace => ({ stream, line: shown[stream].at(index) });
  return {
    count: both(length),
    at(row) {
      const mark = firstWhere(length, (candidate) => both(candidate) > row);
      const before = finished('stdout', mark - 1);
      const within = row - both(mark - 1);
      const ofStdout = finished('stdout', mark) - before;
      if (within < ofStdout) return place('stdout', before + within);
      return place('stderr', finished('stderr', mark - 1) + within - ofStdout);
    },
    rowOf({ stream, line }) {
      const index = shown[stream].indexOf(line);
      const mark = firstWhere(length, (candidate) => finished(stream, candidate) > index);
      return stream === 'stdout' ? finished('stderr', mark - 1) + index : finished('stdout', mark) + index;
    },
  };
}

/** When a line was finished, as far as that was noted: not later than this, epoch milliseconds. */
export function timeOf(
  { stream, line }: LinePlace,
  marks: TimeMarks,
  finishedAt: number | undefined,
): number | undefined {
  const mark = firstWhere(marks.at.length, (candidate) => marks[stream][candidate]! > line);
  return marks.at[mark] ?? finishedAt;
}

/** The first line that was written at or after a time. */
export function lineAtTime(stream: LogStream, time: number, marks: TimeMarks): number {
  const mark = firstWhere(marks.at.length, (candidate) => marks.at[candidate]! >= time);
  return mark === 0 ? 0 : marks[stream][mark - 1]!;
}

/** The first number below `length` that fits; those after it fit, too. `length` when none does. */
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
