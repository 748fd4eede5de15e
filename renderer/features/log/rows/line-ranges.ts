import type { LinePlace, LogStream } from './line-rows.ts';

/** Lines of a stream; `to` is exclusive. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** Fewer lines than these between two that are wanted are read with them. */
const worthLeavingOut = 250;

/** The lines of some places as ranges of each stream, in order, without the many that a fold between them hides. */
export function rangesOf(places: Iterable<LinePlace>): ReadonlyMap<LogStream, readonly LineRange[]> {
  const found = new Map<LogStream, LineRange[]>();
  for (const { stream, line } of places) {
    const ranges = found.get(stream) ?? [];
    const last = ranges.at(-1);
    if (last && line - last.to < worthLeavingOut) ranges[ranges.length - 1] = { ...last, to: line + 1 };
    else ranges.push({ from: line, to: line + 1 });
    found.set(stream, ranges);
  }
  return found;
}

/** The places of some rows. @param to exclusive */
export function* placesOf(
  rows: { readonly count: number; at(row: number): LinePlace },
  from: number,
  to: number,
): Generator<LinePlace> {
  for (let row = from; row < Math.min(to, rows.count); row += 1) yield rows.at(row);
}
