import { describe, expect, it } from 'vitest';
import { RunMonitor, maxPoints, RunUsage } from '../../../../core/process/monitor/run-monitor.ts';
import type { TreeUsage } from '../../../../core/process/monitor/proc-trees.ts';
import type { RunRecord } from '../../../../core/model/run.ts';
import { FakeClock } from '../../../harness/fakes.ts';

const home = '/home/of/test';
const tree = (cpuMs: number, memory = 100, processes = 1): TreeUsage => ({ cpuMs, memory, processes });

function runOf(dagRunId: string, parent?: string): RunRecord {
  return {
    name: 'job',
    dagRunId,
    key: Number(dagRunId),
    status: 'running',
    trigger: 'api',
    params: [],
    createdAt: 0,
    outputs: {},
    logDir: dagRunId === '9' ? '/elsewhere/9' : `logs/job/${dagRunId}`,
    epoch: 1,
    ...(parent === undefined ? {} : { parent: { name: 'job', dagRunId: parent, step: 's' } }),
  };
}

/** A monitor whose runs and processes the test provides. */
class Watched {
  readonly clock = new FakeClock();
  runs: RunRecord[] = [];
  trees = new Map<string, TreeUsage>();
  costMs = 0;
  readings = 0;
  cleared = 0;
  lists = 0;
  /** Changes with the time when it is absent. */
  revision: string | undefined;
  readonly monitor = new RunMonitor(
    this.clock,
    home,
    2,
    {
      read: async () => {
        this.readings += 1;
        return { trees: this.trees, costMs: this.costMs };
      },
      clear: () => void (this.cleared += 1),
    },
    {
      commitRevision: () => this.revision ?? String(this.clock.now()),
      listRuns: async ({ before = Infinity, limit }) => {
        this.lists += 1;
        return this.runs
          .filter(({ key }) => key < before)
          .toSorted((left, right) => right.key - left.key)
          .slice(0, limit);
      },
    },
  );

  async sample(seconds = 5): Promise<void> {
    this.clock.advance(seconds * 1000);
    await this.monitor.sample(this.clock.now());
  }

  find(dagRunId: string) {
    return this.monitor.find({ name: 'job', dagRunId });
  }
}

describe('active runs', () => {
  it('cost nothing while there are none', async () => {
    const watched = new Watched();
    await watched.sample();
    expect(watched.readings).toBe(0);
  });

  it('are read after commits only', async () => {
    const watched = new Watched();
    watched.revision = '1';
    await watched.sample();
    await watched.sample();
    expect(watched.lists).toBe(1);
    watched.revision = '2';
    await watched.sample();
    expect(watched.lists).toBe(2);
  });

  it('are charged for processes below their directories, at any depth, and for no others', async () => {
    const watched = new Watched();
    await watched.sample();
    watched.runs = [runOf('1'), runOf('2'), runOf('9')];
    watched.trees = new Map([
      [`${home}/logs/job/1/a.1`, tree(1000, 100, 2)],
      [`${home}/logs/job/1/b.1/item-7`, tree(2000, 200, 3)],
      [`${home}/logs/job/12/a.1`, tree(4000)],
      ['/elsewhere/9/a.1', tree(500)],
      ['/another/home/logs/job/2/a.1', tree(9000)],
    ]);
    await watched.sample();
    expect(watched.find('1')?.last).toMatchObject({ cpu: 30, memory: 300, processes: 5 });
    expect(watched.find('2')?.last).toMatchObject({ cpu: 0, memory: 0, processes: 0 });
    expect(watched.find('9')?.cpuMs).toBe(500);
    expect(watched.find('12')).toBeUndefined();
  });

  it('include usage of runs started by their steps, at all levels', async () => {
    const watched = new Watched();
    watched.runs = [runOf('1'), runOf('2', '1'), runOf('3', '2'), runOf('4', 'gone')];
    watched.trees = new Map([
      [`${home}/logs/job/1/a.1`, tree(1)],
      [`${home}/logs/job/2/a.1`, tree(10)],
      [`${home}/logs/job/3/a.1`, tree(100)],
      [`${home}/logs/job/4/a.1`, tree(1000)],
    ]);
    await watched.sample();
    expect(['1', '2', '3', '4'].map((id) => watched.find(id)?.cpuMs)).toEqual([111, 110, 100, 1000]);
  });

  it('that were active before have no rate at first', async () => {
    const watched = new Watched();
    watched.runs = [runOf('1')];
    watched.trees = new Map([[`${home}/logs/job/1/a.1`, tree(3_600_000)]]);
    await watched.sample();
    expect(watched.find('1')?.points).toEqual([]);
    watched.trees = new Map([[`${home}/logs/job/1/a.1`, tree(1000)]]);
    await watched.sample();
    expect(watched.find('1')?.points).toMatchObject([{ cpu: 10 }]);
    watched.monitor.rebase();
    await watched.sample();
    expect(watched.find('1')).toMatchObject({ points: { length: 1 }, cpuMs: 3_602_000 });
  });

  it('are remembered after their end, the last hundred', async () => {
    const watched = new Watched();
    watched.runs = Array.from({ length: 1205 }, (_, index) => runOf(String(index + 1000)));
    await watched.sample();
    await watched.sample();
    expect(watched.find('1000')).toMatchObject({ isActive: true, points: { length: 1 } });
    watched.runs = watched.runs.slice(0, 1);
    await watched.sample();
    const left = Array.from({ length: 1205 }, (_, index) => watched.find(String(index + 1000)));
    expect(left.filter((usage) => usage !== undefined)).toHaveLength(101);
    watched.runs = [];
    await watched.sample();
    expect(watched.find('1000')).toMatchObject({ isActive: false, last: undefined, points: { length: 2 } });
    expect(watched.cleared).toBe(1);
  });

  it('that are retried add to their earlier usage', async () => {
    const watched = new Watched();
    watched.runs = [runOf('1')];
    watched.trees = new Map([[`${home}/logs/job/1/a.1`, tree(10)]]);
    await watched.sample();
    const [run] = watched.runs;
    watched.runs = [];
    await watched.sample();
    watched.runs = [run!];
    await watched.sample();
    expect(watched.find('1')).toMatchObject({ isActive: true, cpuMs: 20 });
  });

  it('are sampled less often where sampling is expensive', async () => {
    const watched = new Watched();
    watched.runs = [runOf('1')];
    watched.trees = new Map([[`${home}/logs/job/1/a.1`, tree(12_000)]]);
    watched.costMs = 59;
    for (let second = 0; second < 61; second += 5) await watched.sample();
    // Sixty milliseconds in thirty seconds are a fifth of a percent.
    expect(watched.readings).toBe(3);
    expect(watched.find('1')?.points).toMatchObject([{ cpu: 20 }, { cpu: 20 }]);
  });
});

const usageTree = (cpuMs: number, memory = 1000, processes = 1) => ({ cpuMs, memory, processes });

describe('usage of a run', () => {
  it('is in percent of all cores, with the maximum values stored', () => {
    const usage = new RunUsage();
    usage.add(5000, usageTree(5000, 3000, 2), 5000, 4);
    usage.add(10_000, usageTree(500, 2000, 3), 5000, 4);
    expect(usage.points).toEqual([
      { at: 5000, cpu: 25, memory: 3000, processes: 2 },
      { at: 10_000, cpu: 2.5, memory: 2000, processes: 3 },
    ]);
    expect(usage).toMatchObject({ cpuMs: 5500, peakCpu: 25, peakMemory: 3000, last: usage.points[1] });
  });

  it('counts CPU time of an unknown period only in the sum', () => {
    const usage = new RunUsage();
    usage.add(5000, usageTree(900_000, 7000), undefined, 1);
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
    usage.add(1, usageTree(5030), 5000, 1);
    expect(usage.peakCpu).toBe(100);
  });

  it('has a limited number of points, of equal length, with mean CPU and maximum memory', () => {
    const usage = new RunUsage();
    for (let reading = 1; reading <= 10_000; reading += 1) {
      usage.add(reading, usageTree(reading % 2 === 0 ? 60 : 20, reading % 1000 === 0 ? 9000 : 1000), 100, 1);
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
