import type { SourcePosition } from '../../model/workflow/values.ts';

/** Turns offsets of one text into lines and columns. */
export interface LineMap {
  /** The place of an offset, both 1-based; an offset beyond the end is the end. */
  locate(offset: number): SourcePosition;
}

/** A text with a line feed for each lone carriage return, which ends a line too (YAML 1.2); offsets stay. */
export const normalizeLineEnds = (text: string): string =>
  text.includes('\r') ? text.replace(/\r(?!\n)/g, '\n') : text;

/** Reads the line starts of a text once; each look-up is a binary search. */
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
