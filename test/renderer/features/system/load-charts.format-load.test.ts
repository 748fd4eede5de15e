import { expect, test } from 'vitest';
import { formatLoad } from '../../../../renderer/features/system/load-charts.tsx';

test.each([
  [6.5, '6.50'],
  [6.541, '6.54'],
  [0, '0'],
  [10, '10'],
])('a load of %d is formatted as %s', (value, words) => {
  expect(formatLoad(value)).toBe(words);
});
