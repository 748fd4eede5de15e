import { expect, it } from 'vitest';
import { takeLargest, quantile, sumBy } from '../../../scripts/lint/source-metrics.ts';

it('computes the 50 %, 90 % and 100 % quantiles', () => {
  const values = [10, 1, 9, 2, 8, 3, 7, 4, 6, 5];
  expect([0.5, 0.9, 1].map((part) => quantile(values, part))).toEqual([5, 9, 10]);
  expect(quantile([], 0.5)).toBe(0);
});

it('counts by location, largest first', () => {
  const sums = sumBy(['a/x', 'b/x', 'b/y'], (file) => file.split('/', 1)[0]!);
  expect(takeLargest(sums, 1)).toEqual([{ path: 'b', lines: 2 }]);
});
