import { lineHeight, type RowHeights } from './row-heights.ts';

/** Chromium cuts elements off at 33,554,428 px, and places what lies beyond 2^24 px only to every other pixel. */
export const mostSheetHeight = 8_000_000;
/** This near to an end of the sheet it is moved, so that nobody comes to its edge before the lines end. */
const edgePx = 20_000;
/** Further than so many views at once is a jump, by the scroll bar for example, and no way past the lines between. */
const jumpViews = 4;
/** Rows are drawn this far above and below what is in view, so that scrolling finds them there; pixels. */
export const drawnAround = 600;

/** What is scrolled, pixels. */
export interface ScrollArea {
  /** Of all rows, as far as their heights are known. */
  readonly height: number;
  readonly viewHeight: number;
}

/** Where it stands: of the rows, and of the sheet that the browser scrolls, which is no higher than it can be. */
export interface ScrollState {
  /** Pixels of the rows above the view, as if there were no limit. */
  readonly top: number;
  /** `scrollTop` of the browser. */
  readonly sheetTop: number;
}

/** Where it stands whatever the heights of the rows above turn out to be: a row keeps its place in the view. */
export interface HeldPlace {
  readonly row: number;
  /** Pixels from the top of the view down to that of the row. */
  readonly offset: number;
  /** Where the sheet was. */
  readonly sheetTop: number;
}

export const firstPlace: HeldPlace = { row: 0, offset: 0, sheetTop: 0 };

export const sheetHeight = ({ height }: ScrollArea): number => Math.min(height, mostSheetHeight);

const endOf = ({ height, viewHeight }: ScrollArea): number => Math.max(0, height - viewHeight);
const sheetEndOf = (area: ScrollArea): number => Math.max(0, sheetHeight(area) - area.viewHeight);

/** Where the sheet belongs for a place of the rows. */
function sheetTopFor(top: number, area: ScrollArea): number {
  const [end, sheetEnd] = [endOf(area), sheetEndOf(area)];
  return end === sheetEnd ? top : Math.round((top / end) * sheetEnd);
}

/** Goes to a place. */
export function scrollTo(top: number, area: ScrollArea): ScrollState {
  const within = Math.max(0, Math.min(top, endOf(area)));
  return { top: within, sheetTop: sheetTopFor(within, area) };
}

/** Keeps the first row in view where it is. */
export function hold({ top, sheetTop }: ScrollState, heights: RowHeights): HeldPlace {
  const row = heights.rowAt(top);
  return { row, offset: heights.topOf(row) - top, sheetTop };
}

/** Keeps a row in the middle of the view, wherever that is on the sheet. */
export function holdInMiddle(row: number, area: ScrollArea, heights: RowHeights): HeldPlace {
  const offset = Math.max(0, Math.floor(area.viewHeight / 2) - lineHeight);
  return { row, offset, sheetTop: scrollTo(heights.topOf(row) - offset, area).sheetTop };
}

/** Where a place that is kept has come to. A sheet that has room for all rows is moved with them, another one stays. */
export function stateAt(
  { row, offset, sheetTop }: HeldPlace,
  area: ScrollArea,
  heights: RowHeights,
): ScrollState {
  const state = scrollTo(heights.topOf(row) - offset, area);
  return endOf(area) === sheetEndOf(area) ? state : { ...state, sheetTop };
}

/**
 * What it means that the browser has scrolled the sheet. Where all rows fit on the sheet, exactly that. Else a short
 * way is as many pixels of the rows, and a long one the same part of them; `sheetTop` of the result is where the
 * sheet is to be, which is elsewhere only near an end that is not the end of the rows.
 */
export function afterSheetScroll(state: ScrollState, sheetTop: number, area: ScrollArea): ScrollState {
  const [end, sheetEnd] = [endOf(area), sheetEndOf(area)];
  if (end === sheetEnd) return { top: Math.min(sheetTop, end), sheetTop };
  const way = sheetTop - state.sheetTop;
  if (Math.abs(way) > jumpViews * area.viewHeight) return { top: (sheetTop / sheetEnd) * end, sheetTop };
  const top = Math.max(0, Math.min(state.top + way, end));
  const isNearEdge = sheetTop < edgePx || sheetTop > sheetEnd - edgePx;
  const proper = sheetTopFor(top, area);
  return isNearEdge && Math.abs(proper - sheetTop) > 1 ? { top, sheetTop: proper } : { top, sheetTop };
}

/** The rows in view, and those some pixels around it; `to` is exclusive. */
export function rowsInView(
  { top, count }: { readonly top: number; readonly count: number },
  { viewHeight }: ScrollArea,
  { heights, around = 0 }: { readonly heights: RowHeights; readonly around?: number },
): { from: number; to: number } {
  const from = heights.rowAt(Math.max(0, top - around));
  const to = heights.rowAt(Math.max(0, top + viewHeight + around - 1)) + 1;
  return { from: Math.min(from, count), to: Math.min(to, count) };
}
