import { expect, test } from 'vitest';
import { findPeak, toSeries } from '../../../renderer/ui/chart.tsx';

test('a time without samples is a gap in the line', () => {
  const points = [0, 5, 10, 60, 65].map((second) => ({
    timestamp: new Date(second * 1000).toISOString(),
    value: second,
  }));
  expect(toSeries(points)).toEqual([
    [0, 5, 10, 35, 60, 65],
    [0, 5, 10, null, 60, 65],
  ]);
  expect(toSeries([])).toEqual([[], []]);
});

test('the first of the highest samples is the peak', () => {
  const points = [1, 5, 2, 5].map((value, second) => ({
    timestamp: new Date(second * 1000).toISOString(),
    value,
  }));
  expect(findPeak(points)).toBe(points[1]);
  expect(findPeak([])).toBeUndefined();
});
