/** Height of a line that is not wrapped, pixels. */
export const lineHeight = 20;
/** Chromium cuts elements off at 33,554,428 px, and places what lies beyond 2^24 px only to every other pixel. */
export const mostSheetHeight = 8_000_000;
/** This near to an end of the sheet it is moved, so that nobody comes to its edge before the lines end. */
const edgePx = 20_000;
/** Further than so many views at once is a jump, by the scroll bar for example, and no way past the lines between. */
const jumpViews = 4;

/** What is scrolled: so many rows in a view of some height. */
export interface ScrollArea {
  readonly rows: number;
  /** Pixels. */
  readonly viewHeight: number;
}

/** Where it stands: of the rows, and of the sheet that the browser scrolls, which is no higher than it can be. */
export interface ScrollState {
  /** Pixels of the rows above the view, as if there were no limit. */
  readonly top: number;
  /** `scrollTop` of the browser. */
  readonly sheetTop: number;
}

export const rowsHeight = ({ rows }: ScrollArea): number => rows * lineHeight;
export const sheetHeight = (area: ScrollArea): number => Math.min(rowsHeight(area), mostSheetHeight);

const endOf = (area: ScrollArea): number => Math.max(0, rowsHeight(area) - area.viewHeight);
const sheetEndOf = (area: ScrollArea): number => Math.max(0, sheetHeight(area) - area.viewHeight);

/** Where the sheet belongs for a place of the rows. */
function sheetTopFor(top: number, area: ScrollArea): number {
  const end = endOf(area);
  return end === 0 ? 0 : Math.round((top / end) * sheetEndOf(area));
}

/** Goes to a place. */
export function scrollTo(top: number, area: ScrollArea): ScrollState {
  const within = Math.max(0, Math.min(top, endOf(area)));
  return { top: within, sheetTop: sheetTopFor(within, area) };
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

/** The rows in view, and a few around it; `to` is exclusive. */
export function rowsInView(
  top: number,
  { rows, viewHeight }: ScrollArea,
  around: number,
): { from: number; to: number } {
  const first = Math.floor(top / lineHeight);
  const last = Math.ceil((top + viewHeight) / lineHeight);
  return { from: Math.max(0, Math.min(first - around, rows)), to: Math.min(rows, last + around) };
}
