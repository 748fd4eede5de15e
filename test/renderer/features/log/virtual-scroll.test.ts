import { expect, test } from 'vitest';
import {
  lineHeight,
  RowHeights,
  scrollStateAfterSheetScroll,
  overscanPixels,
  initialAnchor,
  anchorAtTop,
  anchorAtCenter,
  maxSheetHeight,
  visibleRowRange,
  scrollTo,
  sheetHeight,
  stateAt,
  type ScrollAnchor,
  type ScrollState,
} from '../../../../renderer/features/log/virtual-scroll.ts';

const viewHeight = 600;
const manyRows = 50_000_000;
const many = { height: manyRows * lineHeight, viewHeight };

test("the scroll height never exceeds Chromium's limit, and its ends are those of the rows", () => {
  expect(sheetHeight(many)).toBe(maxSheetHeight);
  expect(scrollTo(Infinity, many)).toEqual({ top: many.height - 600, sheetTop: maxSheetHeight - 600 });
  const atEnd = scrollStateAfterSheetScroll(scrollTo(0, many), maxSheetHeight - 600, many);
  const heights = new RowHeights();
  expect(visibleRowRange({ top: atEnd.top, count: manyRows }, many, { heights }).to).toBe(manyRows);
  expect(scrollStateAfterSheetScroll(atEnd, 0, many).top).toBe(0);
});

test('a short scroll moves by the same pixels in any log, and every line is reachable', () => {
  const start = scrollTo(25_000_000 * lineHeight, many);
  const next = scrollStateAfterSheetScroll(start, start.sheetTop + 100, many);
  expect(next.top - start.top).toBe(100);
  let state = scrollTo(0, many);
  for (let turn = 0; turn < 2_000; turn += 1) {
    const before = state.top;
    state = scrollStateAfterSheetScroll(state, state.sheetTop + 120, many);
    expect(state.top - before).toBe(120);
    expect(state.sheetTop).toBeLessThan(maxSheetHeight);
  }
});

test('a log that fits scrolls natively', () => {
  const area = { height: 1000 * lineHeight, viewHeight };
  expect(scrollStateAfterSheetScroll(scrollTo(0, area), 5000, area)).toEqual({ top: 5000, sheetTop: 5000 });
});

test('finds rows by their heights, whether measured or not', () => {
  const heights = new RowHeights();
  expect([heights.getTop(9), heights.rowAt(199), heights.rowAt(200)]).toEqual([180, 9, 10]);
  const measured = [7_000_000, 3, 10, 4096, 4095, 20_000, 9];
  for (const row of measured) expect(heights.note(row, 60)).toBe(true);
  expect(heights.note(10, 60)).toBe(false);
  expect(heights.note(9, lineHeight)).toBe(true);
  const higher = measured.filter((row) => row !== 9);
  for (const row of [0, 3, 4, 9, 10, 11, 4095, 4096, 4097, 20_001, 7_000_000, 7_000_001, 11_000_000]) {
    const top = row * lineHeight + higher.filter((one) => one < row).length * 40;
    expect(heights.getTop(row)).toBe(top);
    expect(heights.getHeight(row)).toBe(higher.includes(row) ? 60 : lineHeight);
    expect(heights.rowAt(top)).toBe(row);
    expect(heights.rowAt(top + heights.getHeight(row) - 1)).toBe(row);
  }
});

test('forgets measurements of distant rows when there are many', () => {
  const heights = new RowHeights();
  for (let row = 0; row < 200_001; row += 1) heights.note(row, 40);
  expect(heights.getHeight(0)).toBe(lineHeight);
  expect(heights.getHeight(200_000)).toBe(40);
  expect(heights.rowAt(heights.getTop(150_000))).toBe(150_000);
});

/** A log with wrapped lines as in a browser: rendered rows are measured until nothing changes. */
class WrappedLog {
  readonly heights = new RowHeights();
  readonly count: number;
  place: ScrollAnchor = initialAnchor;
  following = false;

  constructor(count: number) {
    this.count = count;
  }

  readonly getHeight = (row: number): number =>
    lineHeight * (1 + ((row * 7) % 5) + (row % 97 === 0 ? 400 : 0));

  get area() {
    return { height: this.heights.getTop(this.count), viewHeight };
  }

  get state(): ScrollState {
    return this.following ? scrollTo(Infinity, this.area) : stateAt(this.place, this.area, this.heights);
  }

  draw(): { readonly from: number; readonly to: number } {
    for (let turn = 0; turn < 5; turn += 1) {
      const place = { top: this.state.top, count: this.count };
      const drawn = visibleRowRange(place, this.area, { heights: this.heights, around: overscanPixels });
      let isNew = false;
      for (let row = drawn.from; row < drawn.to; row += 1)
        isNew = this.heights.note(row, this.getHeight(row)) || isNew;
      if (!isNew) return visibleRowRange(place, this.area, { heights: this.heights });
    }
    throw new Error('the rows did not come to rest');
  }

  scroll(pixels: number): void {
    const next = scrollStateAfterSheetScroll(this.state, this.state.sheetTop + pixels, this.area);
    this.place = anchorAtTop(next, this.heights);
  }

  /** Position of a row in the view, in pixels. */
  offsetOf = (row: number): number => this.heights.getTop(row) - this.state.top;
}

for (const count of [20_000, 11_500_000]) {
  test(`each of ${count} wrapped rows moves by exactly the scrolled distance`, () => {
    const log = new WrappedLog(count);
    log.place = anchorAtCenter(count / 2, log.area, log.heights);
    log.draw();
    expect(log.offsetOf(count / 2)).toBe(viewHeight / 2 - lineHeight);
    for (const way of [...Array<number>(300).fill(-90), ...Array<number>(300).fill(130)]) {
      const { from } = log.draw();
      const before = log.offsetOf(from);
      log.scroll(way);
      log.draw();
      expect(log.offsetOf(from)).toBeCloseTo(before - way, 5);
      expect(sheetHeight(log.area)).toBeLessThanOrEqual(maxSheetHeight);
    }
  });
}

test('the end of a wrapped log is its last row, from any position, and its start the first', () => {
  const log = new WrappedLog(11_500_000);
  log.following = true;
  expect(log.draw().to).toBe(log.count);
  expect(log.offsetOf(log.count)).toBe(viewHeight);
  const atEnd = log.state;
  log.place = anchorAtTop(atEnd, log.heights);
  log.following = false;
  log.scroll(-200);
  log.draw();
  expect(log.offsetOf(log.count)).toBe(viewHeight + 200);
  log.scroll(-log.state.sheetTop);
  expect(log.draw().from).toBe(0);
  expect(log.offsetOf(0)).toBe(0);
});
