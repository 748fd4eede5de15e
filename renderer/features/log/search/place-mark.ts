import { lineHeight } from '../rows/row-heights.ts';

/** Pixels. */
export const markHeight = 2;

/**
 * Where a row has its mark beside the log, pixels from the top: as far down the view as the row is down the log, and in
 * a log that does not fill the view, beside the row.
 * @param count of all rows
 * @param height of the view, pixels
 */
export const placeMark = (row: number, count: number, height: number): number =>
  Math.round(row * Math.min((height - markHeight) / count, lineHeight));
