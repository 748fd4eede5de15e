import { lineHeight } from '../rows/row-heights.ts';

/** Pixels. */
export const matchMarkerHeight = 2;
/** Padding above the first row; see the style sheet. */
const padding = 8;

/**
 * Returns the position of a row's mark in pixels from the top: proportional to its place in the log, or next to
 * the row if the log does not fill the view.
 * @param log number of rows, and whether some may be higher than one line
 * @param height height of the view, in pixels
 */
export function matchMarkerPosition(
  row: number,
  log: { count: number; isWrapped: boolean },
  height: number,
): number {
  const { count, isWrapped } = log;
  const isWhole = !isWrapped && count * lineHeight + 2 * padding <= height;
  return isWhole
    ? padding + row * lineHeight + (lineHeight - matchMarkerHeight) / 2
    : Math.round((row / count) * (height - matchMarkerHeight));
}
