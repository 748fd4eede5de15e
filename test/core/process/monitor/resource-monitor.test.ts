import { describe, expect, it } from 'vitest';
import type { MachineState } from '../../../../core/process/monitor/machine-probe.ts';
import { ResourceMonitor } from '../../../../core/process/monitor/resource-monitor.ts';
import { RunMonitor } from '../../../../core/process/monitor/run-monitor.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';

const minute = 60_000;

/** A monitor of a machine that is as busy as the number of readings so far. */
class Watched {
  readonly clock = new FakeClock();
  readonly warnings: string[] = [];
  readonly monitor: ResourceMonitor;
  readonly begun = this.clock.now();
  readings = 0;
  rebased = 0;
  answer: () => Promise<MachineState> = async () => this.#next();
  listRuns: () => [] = () => [];

  constructor(settings: { intervalSec?: number; retentionSec?: number } = {}) {
    const { clock } = this;
    const home = makeTemporaryFolder();
    const trees = { read: async () => ({ trees: new Map(), costMs: 0 }), clear() {} };
    const warn = (message: string): void => void this.warnings.push(message);
    this.monitor = new ResourceMonitor({
      intervalSec: 5,
      retentionSec: 3600,
      ...settings,
      clock,
      home,
      logger: { info() {}, warn, error: warn },
      runs: new RunMonitor(clock, home, 1, trees, {
        commitRevision: () => String(clock.now()),
        listRuns: async () => this.listRuns(),
      }),
      probe: {
        read: () => this.answer(),
        rebase: () => void (this.rebased += 1),
        size: { cores: 2, memory: 1000 },
      },
    });
  }

  /** Times of the readings, seconds since the start. */
  times(durationSec = 3600): number[] {
    const { series } = this.monitor.history(durationSec, 100_000);
    return series.cpu.map(({ at }) => (at - this.begun) / 1000);
  }

  /** Time passes as in reality: what a timer has started finishes. */
  async pass(milliseconds: number): Promise<void> {
    for (let left = milliseconds; left > 0; left -= 1000) {
      this.clock.advance(Math.min(left, 1000));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #next(): MachineState {
    this.readings += 1;
    return { cpu: this.readings, memory: 50, disk: 20, load: 1 };
  }
}

describe('resource monitor', () => {
  it('reads at its interval from the first reading on', async () => {
    const watched = new Watched();
    watched.monitor.start();
    expect(watched.times()).toEqual([]);
    await watched.pass(16_000);
    expect(watched.times()).toEqual([5, 10, 15]);
    expect(watched.monitor.history(3600, 10)).toMatchObject({
      intervalSec: 5,
      machine: { cores: 2, memory: 1000 },
      series: { memory: [{ value: 50 }, { value: 50 }, { value: 50 }] },
    });
  });

  it('returns the requested period, up to its retention', async () => {
    const watched = new Watched({ retentionSec: 60 });
    watched.monitor.start();
    await watched.pass(2 * minute);
    expect(watched.times(10)).toEqual([110, 115, 120]);
    expect(watched.times(3600)[0]).toBe(60);
  });

  it('leaves a gap where the machine slept, and compares nothing across it', async () => {
    const watched = new Watched();
    watched.monitor.start();
    await watched.pass(10_000);
    // The timers of a sleeping machine stand still, and its monotonic clock may do so, too.
    watched.clock.jumpTo(watched.clock.now() + 30 * minute);
    await watched.pass(10_000);
    expect(watched.times()).toEqual([5, 10, 1820]);
    expect(watched.rebased).toBe(2);
  });

  it('leaves a gap where the process was blocked', async () => {
    const watched = new Watched();
    watched.monitor.start();
    await watched.pass(5000);
    const { clock } = watched;
    const lag = clock.monotonic.bind(clock);
    clock.monotonic = () => lag() + 20_000;
    await watched.pass(10_000);
    expect(watched.times()).toEqual([5, 15]);
  });

  it('drops readings in the future after the clock was set back', async () => {
    const watched = new Watched();
    watched.monitor.start();
    await watched.pass(30_000);
    watched.clock.jumpTo(watched.begun + 12_000);
    await watched.pass(10_000);
    expect(watched.times()).toEqual([5, 10, 15, 17, 22]);
  });

  it('does not start a reading while another is in progress', async () => {
    const watched = new Watched();
    let asked = 0;
    let answer = (_state: MachineState): void => {};
    watched.answer = () => {
      asked += 1;
      return new Promise((resolve) => (answer = resolve));
    };
    watched.monitor.start();
    await watched.pass(6000);
    await watched.pass(20_000);
    expect(asked).toBe(1);
    answer({ cpu: 1, memory: 1, disk: 1, load: 1 });
    await watched.pass(10_000);
    expect(asked).toBe(2);
    // There is no reading for the time of the slow one.
    expect(watched.times()).toEqual([5]);
  });

  it('reports the first failure in a row, and continues', async () => {
    const watched = new Watched();
    watched.listRuns = () => {
      throw new Error('database is locked');
    };
    watched.monitor.start();
    await watched.pass(20_000);
    expect(watched.warnings).toEqual(['Cannot monitor resources']);
    expect(watched.times()).toEqual([5, 10, 15, 20]);
    watched.listRuns = () => [];
    await watched.pass(5000);
    watched.listRuns = () => {
      throw new Error('again');
    };
    await watched.pass(5000);
    expect(watched.warnings).toHaveLength(2);
  });

  it('stops reading when it is closed', async () => {
    const watched = new Watched();
    watched.monitor.start();
    watched.monitor.start();
    watched.monitor.close();
    expect(watched.clock.pending).toBe(0);
    expect(() => watched.times()).toThrow(/Resource monitoring is not available on this host\./);
  });

  it('returns an error where it was not started, or is disabled', () => {
    const off = new Watched({ intervalSec: 0 });
    off.monitor.start();
    expect(off.clock.pending).toBe(0);
    const error = (watched: Watched) => {
      try {
        return watched.monitor.getUsage({ name: 'a', dagRunId: 'b' });
      } catch (cause) {
        return cause;
      }
    };
    expect(error(off)).toMatchObject({
      code: 'monitoring_off',
      message: expect.stringContaining('"monitor.intervalSec" is 0') as string,
    });
    expect(error(new Watched())).toMatchObject({
      code: 'monitoring_off',
      message: expect.stringContaining('engine server') as string,
    });
  });

  it('reports when it holds less than the retention', () => {
    const watched = new Watched({ intervalSec: 1, retentionSec: 365 * 86_400 });
    watched.monitor.start();
    expect(watched.warnings[0]).toMatch(
      /The resource monitor keeps only the latest 500000 readings, less than.* "monitor.retention"/,
    );
  });
});
