import { lineHeight } from '../rows/row-heights.ts';

/** Pixels. */
export const markHeight = 2;
/** Above the first row; see the style sheet. */
const padding = 8;

/**
 * Where a row has its mark beside the log, pixels from the top: as far down the view as the row is down the log, and in
 * a log that does not fill the view, beside the row.
 * @param log how many rows it has, and whether some may be higher than a line
 * @param height of the view, pixels
 */
export function placeMark(row: number, log: { count: number; isWrapped: boolean }, height: number): number {
  const { count, isWrapped } = log;
  const isWhole = !isWrapped && count * lineHeight + 2 * padding <= height;
  return isWhole
    ? padding + row * lineHeight + (lineHeight - markHeight) / 2
    : Math.round((row / count) * (height - markHeight));
}
