import { expect, test } from 'vitest';
import { toSeries } from '../../../renderer/features/system/charts/to-series.ts';

test('a time in which nobody measured is a gap in the line', () => {
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
