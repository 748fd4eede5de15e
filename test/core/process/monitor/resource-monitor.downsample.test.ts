import { describe, expect, it } from 'vitest';
import { downsample } from '../../../../core/process/monitor/resource-monitor.ts';

const series = (...times: readonly number[]) => times.map((at) => ({ at, value: at }));

describe('series', () => {
  it('is unchanged while it has few points', () => {
    const points = series(1, 2, 3);
    expect(downsample(points, 3, 0, 10)).toBe(points);
  });

  it('becomes averages of equal intervals', () => {
    expect(downsample(series(1, 2, 3, 4, 11, 12, 19, 20), 2, 0, 20)).toEqual([
      { at: 4, value: 2.5 },
      { at: 20, value: 15.5 },
    ]);
  });

  it('keeps a gap', () => {
    const points = series(0, 1, 2, 3, 90, 91, 92, 93, 100);
    expect(downsample(points, 5, 0, 100).map(({ at }) => at)).toEqual([3, 100]);
  });

  it('never has more points than requested', () => {
    const points = series(...Array.from({ length: 997 }, (_, index) => index * 7));
    for (const max of [1, 2, 13, 500, 996])
      expect(downsample(points, max, 0, 6972).length).toBeLessThanOrEqual(max);
  });
});
