import { describe, expect, it } from 'vitest';
import { maxPoints, RunUsage } from '../../../../core/process/monitor/run-usage.ts';

const tree = (cpuMs: number, memory = 1000, processes = 1) => ({ cpuMs, memory, processes });

describe('usage of a run', () => {
  it('is in percent of all cores, with the maximum values stored', () => {
    const usage = new RunUsage();
    usage.add(5000, tree(5000, 3000, 2), 5000, 4);
    usage.add(10_000, tree(500, 2000, 3), 5000, 4);
    expect(usage.points).toEqual([
      { at: 5000, cpu: 25, memory: 3000, processes: 2 },
      { at: 10_000, cpu: 2.5, memory: 2000, processes: 3 },
    ]);
    expect(usage).toMatchObject({ cpuMs: 5500, peakCpu: 25, peakMemory: 3000, last: usage.points[1] });
  });

  it('counts CPU time of an unknown period only in the sum', () => {
    const usage = new RunUsage();
    usage.add(5000, tree(900_000, 7000), undefined, 1);
    expect(usage).toMatchObject({
      points: [],
      cpuMs: 900_000,
      peakCpu: 0,
      peakMemory: 7000,
      last: undefined,
    });
  });

  it('never exceeds what is available: the kernel counts in coarse steps', () => {
    const usage = new RunUsage();
    usage.add(1, tree(5030), 5000, 1);
    expect(usage.peakCpu).toBe(100);
  });

  it('has a limited number of points, of equal length, with mean CPU and maximum memory', () => {
    const usage = new RunUsage();
    for (let reading = 1; reading <= 10_000; reading += 1) {
      usage.add(reading, tree(reading % 2 === 0 ? 60 : 20, reading % 1000 === 0 ? 9000 : 1000), 100, 1);
      expect(usage.points.length).toBeLessThanOrEqual(maxPoints);
    }
    const { points } = usage;
    expect(points.length).toBeGreaterThan(maxPoints / 2 - 2);
    expect(new Set(points.map(({ at }, index) => at - (points[index - 1]?.at ?? 0)))).toEqual(new Set([128]));
    expect(points.every(({ cpu }) => Math.abs(cpu - 40) < 1e-9)).toBe(true);
    expect(points.filter(({ memory }) => memory === 9000).length).toBe(9);
    expect(usage.last?.at).toBe(10_000);
  });
});
