import type { LinePosition, LogStream } from './line-rows.ts';

/** Lines of a stream; `to` is exclusive. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** A gap of fewer lines between two ranges is loaded with them. */
const worthLeavingOut = 250;

/** Converts positions to sorted ranges per stream, without the lines hidden by large folds between them. */
export function rangesOf(positions: Iterable<LinePosition>): ReadonlyMap<LogStream, readonly LineRange[]> {
  const found = new Map<LogStream, LineRange[]>();
  for (const { stream, line } of positions) {
    const ranges = found.get(stream) ?? [];
    const last = ranges.at(-1);
    if (last && line - last.to < worthLeavingOut) ranges[ranges.length - 1] = { ...last, to: line + 1 };
    else ranges.push({ from: line, to: line + 1 });
    found.set(stream, ranges);
  }
  return found;
}

/** Yields the positions of rows. @param to exclusive */
export function* positionsOfRows(
  rows: { readonly count: number; at(row: number): LinePosition },
  from: number,
  to: number,
): Generator<LinePosition> {
  for (let row = from; row < Math.min(to, rows.count); row += 1) yield rows.at(row);
}
