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
export const singleRows = (stream: LogStream, lines: number): LineRows => ({
  count: lines,
  at: (row) => ({ stream, line: row }),
  rowOf: ({ line }) => Math.max(0, Math.min(line, lines - 1)),
});

/** How many lines of both streams were finished at which times; each array as long as the others. */
export interface TimeMarks {
  /** Epoch milliseconds, ascending. */
  readonly at: readonly number[];
  readonly stdout: readonly number[];
  readonly stderr: readonly number[];
}

/**
 * The lines of both streams by the times at which they were written. Between two marks the order is not known: there
 * those of stdout come first.
 */
export function mergedRows(marks: TimeMarks, totals: Readonly<Record<LogStream, number>>): LineRows {
  const { length } = marks.at;
  const finished = (stream: LogStream, mark: number): number =>
    mark < 0 ? 0 : mark >= length ? totals[stream] : Math.min(marks[stream][mark]!, totals[stream]);
  const both = (mark: number): number => finished('stdout', mark) + finished('stderr', mark);
  return {
    count: totals.stdout + totals.stderr,
    at(row) {
      const mark = firstWhere(length, (candidate) => both(candidate) > row);
      const before = finished('stdout', mark - 1);
      const within = row - both(mark - 1);
      const ofStdout = finished('stdout', mark) - before;
      if (within < ofStdout) return { stream: 'stdout', line: before + within };
      return { stream: 'stderr', line: finished('stderr', mark - 1) + within - ofStdout };
    },
    rowOf({ stream, line }) {
      const mark = firstWhere(length, (candidate) => finished(stream, candidate) > line);
      return stream === 'stdout' ? finished('stderr', mark - 1) + line : finished('stdout', mark) + line;
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

/** Lines folded away behind the line that begins their group. */
export interface Fold {
  readonly stream: LogStream;
  /** The line of `::group::`, which stays in sight. */
  readonly head: number;
  /** The last line that is hidden: that of `::endgroup::`, as a rule. */
  readonly last: number;
}

/** Rows of one stream without those that are folded away. @param folds of that stream, in order, not overlapping */
export function foldedRows(rows: LineRows, folds: readonly Fold[]): LineRows {
  const hidden: { readonly row: number; readonly before: number; readonly lines: number }[] = [];
  let before = 0;
  for (const { head, last } of folds) {
    const end = Math.min(last, rows.count - 1);
    if (end <= head) continue;
    hidden.push({ row: head - before, before, lines: end - head });
    before += end - head;
  }
  if (hidden.length === 0) return rows;
  return {
    count: rows.count - before,
    at(row) {
      const next = firstWhere(hidden.length, (index) => hidden[index]!.row >= row);
      const last = hidden[next - 1];
      return rows.at(row + (last ? last.before + last.lines : 0));
    },
    rowOf(place) {
      const line = rows.rowOf(place);
      const next = firstWhere(hidden.length, (index) => hidden[index]!.row + hidden[index]!.before >= line);
      const last = hidden[next - 1];
      if (!last) return line;
      return Math.max(last.row, line - last.before - last.lines);
    },
  };
}
