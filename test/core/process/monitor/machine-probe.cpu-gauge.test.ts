import { describe, expect, it } from 'vitest';
import { CpuGauge, parseCpuLine } from '../../../../core/process/monitor/machine-probe.ts';

describe('CPU gauge', () => {
  it('reports the share between two readings, nothing at the first', () => {
    const times = [
      { idle: 100, total: 200 },
      { idle: 175, total: 300 },
      { idle: 175, total: 350 },
    ];
    const gauge = new CpuGauge(() => times.shift());
    expect([gauge.measure(), gauge.measure(), gauge.measure()]).toEqual([undefined, 25, 100]);
  });

  it.each([
    ['no time has passed', { idle: 10, total: 20 }, undefined],
    ['the counters went back', { idle: 1, total: 2 }, undefined],
    ['waiting for disks went back', { idle: 9, total: 30 }, 100],
    ['idle time exceeds the total', { idle: 30, total: 30 }, 0],
  ])('is plausible when %s', (_, second, expected) => {
    const times = [{ idle: 10, total: 20 }, second];
    const gauge = new CpuGauge(() => times.shift());
    gauge.measure();
    expect(gauge.measure()).toBe(expected);
  });

  it('reports nothing across a failed reading', () => {
    const times = [{ idle: 1, total: 2 }, undefined, { idle: 3, total: 6 }, { idle: 5, total: 10 }];
    const gauge = new CpuGauge(() => times.shift());
    const shares = [gauge.measure(), gauge.measure(), gauge.measure(), gauge.measure()];
    expect(shares).toEqual([undefined, undefined, undefined, 50]);
  });

  it('measures this machine', () => {
    const gauge = new CpuGauge();
    gauge.measure();
    let share: number | undefined;
    // The kernel counts in hundredths of a second.
    while (!share) share = gauge.measure();
    expect(share).toBeGreaterThan(0);
    expect(share).toBeLessThanOrEqual(100);
  });
});

describe('first line of /proc/stat', () => {
  it('counts iowait as idle, and guests once', () => {
    expect(parseCpuLine('cpu  10 2 3 70 5 1 1 8 4 1\ncpu0 1 1 1 1\n')).toEqual({ idle: 75, total: 100 });
  });

  it.each(['', 'cpu', 'cpu  1 2 3\n', 'intr 1 2 3 4 5'])('%j is ignored', (text) => {
    expect(parseCpuLine(text)).toBeUndefined();
  });
});
