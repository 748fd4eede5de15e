import { lineHeight, type RowHeights } from './row-heights.ts';

/** Chromium limits elements to 33,554,428 px and positions beyond 2^24 px only to every other pixel. */
export const maxSheetHeight = 8_000_000;
/**
 * The sheet is moved at this distance from one of its ends, so that the user never reaches its edge before the
 * lines end.
 */
const edgePx = 20_000;
/** Scrolling farther than this many viewports at once is a jump, for example by the scroll bar. */
const jumpThresholdViews = 4;
/** Rows are rendered this many pixels beyond the viewport, so that they exist before they scroll into view. */
export const overscanPixels = 600;

/** The scrolled content, in pixels. */
export interface ScrollArea {
  /** Height of all rows, as far as measured. */
  readonly height: number;
  readonly viewHeight: number;
}

/** Scroll position in the rows, and in the browser's scrolled sheet, whose height is limited. */
export interface ScrollState {
  /** Pixels of rows above the viewport, without the limit. */
  readonly top: number;
  /** `scrollTop` of the browser. */
  readonly sheetTop: number;
}

/** A position that does not depend on the heights of the rows above: a row keeps its place in the viewport. */
export interface ScrollAnchor {
  readonly row: number;
  /** Pixels from the top of the viewport to the row. */
  readonly offset: number;
  /** Position of the sheet. */
  readonly sheetTop: number;
}

export const initialAnchor: ScrollAnchor = { row: 0, offset: 0, sheetTop: 0 };

export const sheetHeight = ({ height }: ScrollArea): number => Math.min(height, maxSheetHeight);

const endOf = ({ height, viewHeight }: ScrollArea): number => Math.max(0, height - viewHeight);
const sheetEndOf = (area: ScrollArea): number => Math.max(0, sheetHeight(area) - area.viewHeight);

/** Returns the sheet position for an offset in the rows. */
function sheetTopFor(top: number, area: ScrollArea): number {
  const [end, sheetEnd] = [endOf(area), sheetEndOf(area)];
  return end === sheetEnd ? top : Math.round((top / end) * sheetEnd);
}

/** Returns the state at an offset. */
export function scrollTo(top: number, area: ScrollArea): ScrollState {
  const within = Math.max(0, Math.min(top, endOf(area)));
  return { top: within, sheetTop: sheetTopFor(within, area) };
}

/** Holds the first visible row at its place. */
export function anchorAtTop({ top, sheetTop }: ScrollState, heights: RowHeights): ScrollAnchor {
  const row = heights.rowAt(top);
  return { row, offset: heights.topOf(row) - top, sheetTop };
}

/** Keeps a row in the middle of the viewport at any scroll position. */
export function anchorAtCenter(row: number, area: ScrollArea, heights: RowHeights): ScrollAnchor {
  const offset = Math.max(0, Math.floor(area.viewHeight / 2) - lineHeight);
  return { row, offset, sheetTop: scrollTo(heights.topOf(row) - offset, area).sheetTop };
}

/** Returns the state of a held place. A sheet that fits all rows moves with them; a limited one stays. */
export function stateAt(
  { row, offset, sheetTop }: ScrollAnchor,
  area: ScrollArea,
  heights: RowHeights,
): ScrollState {
  const state = scrollTo(heights.topOf(row) - offset, area);
  return endOf(area) === sheetEndOf(area) ? state : { ...state, sheetTop };
}

/**
 * Updates the state after the browser has scrolled the sheet. If all rows fit on the sheet, the offset is
 * exact. Otherwise a short distance is the same number of pixels in the rows, and a long one the same fraction
 * of them. `sheetTop` of the result is the target position of the sheet, which differs only near an end that is
 * not the end of the rows.
 */
export function scrollStateAfterSheetScroll(
  state: ScrollState,
  sheetTop: number,
  area: ScrollArea,
): ScrollState {
  const [end, sheetEnd] = [endOf(area), sheetEndOf(area)];
  if (end === sheetEnd) return { top: Math.min(sheetTop, end), sheetTop };
  const distance = sheetTop - state.sheetTop;
  if (Math.abs(distance) > jumpThresholdViews * area.viewHeight)
    return { top: (sheetTop / sheetEnd) * end, sheetTop };
  const top = Math.max(0, Math.min(state.top + distance, end));
  const isNearEdge = sheetTop < edgePx || sheetTop > sheetEnd - edgePx;
  const proper = sheetTopFor(top, area);
  return isNearEdge && Math.abs(proper - sheetTop) > 1 ? { top, sheetTop: proper } : { top, sheetTop };
}

/** Returns the visible rows plus a margin; `to` is exclusive. */
export function visibleRowRange(
  { top, count }: { readonly top: number; readonly count: number },
  { viewHeight }: ScrollArea,
  { heights, around = 0 }: { readonly heights: RowHeights; readonly around?: number },
): { from: number; to: number } {
  const from = heights.rowAt(Math.max(0, top - around));
  const to = heights.rowAt(Math.max(0, top + viewHeight + around - 1)) + 1;
  return { from: Math.min(from, count), to: Math.min(to, count) };
}
