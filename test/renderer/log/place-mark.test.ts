import { expect, test } from 'vitest';
import { placeMark } from '../../../renderer/features/log/search/place-mark.ts';

test('the marks of a long log share the height of the view', () => {
  expect(placeMark(0, 10_000, 802)).toBe(0);
  expect(placeMark(5_000, 10_000, 802)).toBe(400);
  expect(placeMark(9_999, 10_000, 802)).toBe(800);
});

test('the marks of a log that does not fill the view stand beside its rows', () => {
  expect(placeMark(14, 15, 1_000)).toBe(14 * 20);
});
