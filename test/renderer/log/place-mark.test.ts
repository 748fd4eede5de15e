import { expect, test } from 'vitest';
import { placeMark } from '../../../renderer/features/log/search/place-mark.ts';

test('the marks of a long log share the height of the view', () => {
  const log = { count: 10_000, isWrapped: false };
  expect(placeMark(0, log, 802)).toBe(0);
  expect(placeMark(5_000, log, 802)).toBe(400);
  expect(placeMark(9_999, log, 802)).toBe(800);
});

test('the marks of a log that does not fill the view stand beside its rows', () => {
  const log = { count: 15, isWrapped: false };
  // The middle of a row of 20 pixels, below a distance of 8.
  expect(placeMark(0, log, 316)).toBe(17);
  expect(placeMark(14, log, 1_000)).toBe(14 * 20 + 17);
  expect(placeMark(14, log, 315)).toBe(Math.round((14 / 15) * 313));
  // How high its rows are is not known.
  expect(placeMark(14, { ...log, isWrapped: true }, 1_000)).toBe(Math.round((14 / 15) * 998));
});
