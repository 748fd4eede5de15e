import type { SourcePosition } from '../../model/workflow/values.ts';

/** Converts offsets of one text to lines and columns. */
export interface LineMap {
  /** Returns the 1-based position of an offset; an offset beyond the end is the end. */
  locate(offset: number): SourcePosition;
}

/** Replaces each lone carriage return, which is a line break in YAML 1.2, by a line feed; offsets stay the same. */
export const normalizeLineEnds = (text: string): string =>
  text.includes('\r') ? text.replace(/\r(?!\n)/g, '\n') : text;

/** Reads the line starts of a text once; each lookup is a binary search. */
export function createLineMap(written: string): LineMap {
  const text = normalizeLineEnds(written);
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return {
    locate(offset) {
      const inside = Math.max(0, Math.min(offset, text.length));
      let low = 0;
      let high = starts.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (starts[middle]! <= inside) low = middle;
        else high = middle - 1;
      }
      return { line: low + 1, column: inside - starts[low]! + 1 };
    },
  };
}
