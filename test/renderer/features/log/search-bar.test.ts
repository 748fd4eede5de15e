import { expect, test } from 'vitest';
import { matchMarkerPosition } from '../../../../renderer/features/log/search-bar.tsx';

test('markers of a long log are scaled to the height of the view', () => {
  const log = { count: 10_000, isWrapped: false };
  expect(matchMarkerPosition(0, log, 802)).toBe(0);
  expect(matchMarkerPosition(5_000, log, 802)).toBe(400);
  expect(matchMarkerPosition(9_999, log, 802)).toBe(800);
});

test('markers of a short log are next to their rows', () => {
  const log = { count: 15, isWrapped: false };
  // The middle of a row of 20 pixels, below a margin of 8.
  expect(matchMarkerPosition(0, log, 316)).toBe(17);
  expect(matchMarkerPosition(14, log, 1_000)).toBe(14 * 20 + 17);
  expect(matchMarkerPosition(14, log, 315)).toBe(Math.round((14 / 15) * 313));
  // The height of its rows is unknown.
  expect(matchMarkerPosition(14, { ...log, isWrapped: true }, 1_000)).toBe(Math.round((14 / 15) * 998));
});
