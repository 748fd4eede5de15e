/** Height of a row without wrapping, in pixels; see the style sheet. */
export const lineHeight = 20;

const blockRows = 4096;
/** Maximum number of measured heights; those far away are dropped first. */
const maxKnown = 200_000;

/** Rows of a block that are higher than one line, in order, with their extra height. */
interface Block {
  readonly rows: number[];
  readonly extras: number[];
  sum: number;
}

interface BlockPosition {
  readonly number: number;
  /** Extra height of all previous blocks, in pixels. */
  readonly before: number;
}

/** Heights of any number of rows: one line unless measured otherwise. Stores only rows higher than that. */
export class RowHeights {
  readonly #blocks = new Map<number, Block>();
  #order: readonly BlockPosition[] | undefined = [];
  #known = 0;

  /** Records the height of a row in pixels. @returns whether it has changed */
  note(row: number, height: number): boolean {
    const number = Math.floor(row / blockRows);
    const block = this.#blocks.get(number) ?? { rows: [], extras: [], sum: 0 };
    const index = lowerBound(block.rows, row);
    const isKnown = block.rows[index] === row;
    const before = isKnown ? block.extras[index]! : 0;
    const extra = Math.max(0, height - lineHeight);
    if (Math.abs(extra - before) < 0.1) return false;
    if (extra === 0) remove(block, index);
    else if (isKnown) block.extras[index] = extra;
    else insert(block, index, { row, extra });
    this.#known += Number(extra > 0) - Number(isKnown);
    block.sum += extra - before;
    this.#blocks.set(number, block);
    if (this.#known > maxKnown) this.#evictDistantFrom(number);
    this.#order = undefined;
    return true;
  }

  /** Returns the pixels above a row; for the number of rows, the total height. */
  getTop(row: number): number {
    const number = Math.floor(row / blockRows);
    const block = this.#blocks.get(number);
    const order = this.#arrange();
    const blockPosition = order[lowerBound(order, number, (one) => one.number)];
    const before = blockPosition?.before ?? this.#getSum(order.at(-1));
    const higher = block ? block.extras.slice(0, lowerBound(block.rows, row)) : [];
    return row * lineHeight + higher.reduce((sum, extra) => sum + extra, before);
  }

  getHeight(row: number): number {
    const block = this.#blocks.get(Math.floor(row / blockRows));
    const index = block ? lowerBound(block.rows, row) : 0;
    return lineHeight + (block?.rows[index] === row ? block.extras[index]! : 0);
  }

  /**
   * Returns the row at an offset in pixels from the top, or the number of rows if it is beyond the last one.
   */
  rowAt(top: number): number {
    const getStart = ({ number, before }: BlockPosition): number => number * blockRows * lineHeight + before;
    const order = this.#arrange();
    const blockPosition = order[lowerBound(order, Math.max(0, top) + 0.001, getStart) - 1];
    let row = blockPosition ? blockPosition.number * blockRows : 0;
    let above = blockPosition ? getStart(blockPosition) : 0;
    const { rows, extras } = (blockPosition && this.#blocks.get(blockPosition.number)) ?? {
      rows: [],
      extras: [],
    };
    for (const [index, higher] of rows.entries()) {
      const higherTop = above + (higher - row) * lineHeight;
      if (top < higherTop) break;
      above = higherTop + lineHeight + extras[index]!;
      if (top < above) return higher;
      row = higher + 1;
    }
    return row + Math.floor(Math.max(0, top - above) / lineHeight);
  }

  #getSum(last: BlockPosition | undefined): number {
    return last ? last.before + this.#blocks.get(last.number)!.sum : 0;
  }

  #evictDistantFrom(number: number): void {
    const far = [...this.#blocks.keys()].toSorted((a, b) => Math.abs(b - number) - Math.abs(a - number));
    for (const one of far) {
      if (this.#known <= maxKnown / 2 || one === number) return;
      this.#known -= this.#blocks.get(one)!.rows.length;
      this.#blocks.delete(one);
    }
  }

  /** Returns the blocks in order. */
  #arrange(): readonly BlockPosition[] {
    let before = 0;
    this.#order ??= [...this.#blocks.keys()]
      .toSorted((a, b) => a - b)
      .map((number) => {
        const blockPosition = { number, before };
        before += this.#blocks.get(number)!.sum;
        return blockPosition;
      });
    return this.#order;
  }
}

function insert(block: Block, index: number, { row, extra }: { row: number; extra: number }): void {
  block.rows.splice(index, 0, row);
  block.extras.splice(index, 0, extra);
}

function remove(block: Block, index: number): void {
  block.rows.splice(index, 1);
  block.extras.splice(index, 1);
}

/** Returns the first index of a sorted list whose value is not below another; its length if there is none. */
function lowerBound<Item>(
  list: readonly Item[],
  value: number,
  getValue: (item: Item) => number = Number,
): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (getValue(list[middle]!) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

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

const getEnd = ({ height, viewHeight }: ScrollArea): number => Math.max(0, height - viewHeight);
const getSheetEnd = (area: ScrollArea): number => Math.max(0, sheetHeight(area) - area.viewHeight);

/** Returns the sheet position for an offset in the rows. */
function sheetTopFor(top: number, area: ScrollArea): number {
  const [end, sheetEnd] = [getEnd(area), getSheetEnd(area)];
  return end === sheetEnd ? top : Math.round((top / end) * sheetEnd);
}

/** Returns the state at an offset. */
export function scrollTo(top: number, area: ScrollArea): ScrollState {
  const within = Math.max(0, Math.min(top, getEnd(area)));
  return { top: within, sheetTop: sheetTopFor(within, area) };
}

/** Holds the first visible row at its place. */
export function anchorAtTop({ top, sheetTop }: ScrollState, heights: RowHeights): ScrollAnchor {
  const row = heights.rowAt(top);
  return { row, offset: heights.getTop(row) - top, sheetTop };
}

/** Keeps a row in the middle of the viewport at any scroll position. */
export function anchorAtCenter(row: number, area: ScrollArea, heights: RowHeights): ScrollAnchor {
  const offset = Math.max(0, Math.floor(area.viewHeight / 2) - lineHeight);
  return { row, offset, sheetTop: scrollTo(heights.getTop(row) - offset, area).sheetTop };
}

/** Returns the state of a held place. A sheet that fits all rows moves with them; a limited one stays. */
export function stateAt(
  { row, offset, sheetTop }: ScrollAnchor,
  area: ScrollArea,
  heights: RowHeights,
): ScrollState {
  const state = scrollTo(heights.getTop(row) - offset, area);
  return getEnd(area) === getSheetEnd(area) ? state : { ...state, sheetTop };
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
  const [end, sheetEnd] = [getEnd(area), getSheetEnd(area)];
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
