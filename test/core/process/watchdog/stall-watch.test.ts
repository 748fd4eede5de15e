import { describe, expect, it } from 'vitest';
import {
  cellCount,
  cells,
  signalModes,
  StallWatch,
  type StallReport,
} from '../../../../core/process/watchdog/stall-watch.ts';

const limits = { tickMs: 1000, noteMs: 3000, warnMs: 10_000, endMs: 30_000, graceMs: 15_000 };
const report: StallReport = { stack: 'at f', activity: 'run 1 of etl', id: 'run etl/1' };

/** A watch whose main thread is this test. */
function openWatch(answer: StallReport | 'none' = report) {
  const memory = new Int32Array(new SharedArrayBuffer(4 * cellCount));
  const said: string[] = [];
  const watch = new StallWatch(memory, limits, {
    captureReport: () => Promise.resolve(answer === 'none' ? undefined : answer),
    log: (message, { stack }) => said.push(stack === undefined ? message : `${message} ${stack}`),
    note: ({ id }) => said.push(`noted ${id}`),
    forget: () => said.push('forgotten'),
    end: (code) => said.push(`ended ${code}`),
  });
  Atomics.store(memory, cells.cleanUpMs, 5000);
  return {
    said,
    watch,
    memory,
    beat: () => Atomics.add(memory, cells.beat, 1),
    /** Polls once a second; requests are answered in between. */
    async pass(seconds: number): Promise<void> {
      for (let second = 0; second < seconds; second += 1) {
        watch.tick(1000);
        await Promise.resolve();
        await Promise.resolve();
      }
    },
  };
}

describe('StallWatch', () => {
  it('records, logs and ends a process whose event loop is blocked', async () => {
    const { said, pass } = openWatch();
    await pass(2);
    expect(said).toEqual([]);
    await pass(1);
    expect(said).toEqual(['noted run etl/1']);
    await pass(7);
    expect(said.slice(1)).toEqual([
      'The event loop has been blocked for 10 s while working on run 1 of etl. at f',
    ]);
    await pass(20);
    expect(said.slice(2)).toEqual([
      'The event loop has been blocked for 30 s; ending the process with exit code 75 while working on run 1 of etl. at f',
      'ended 75',
    ]);
    await pass(1);
    expect(said.at(-1)).toBe('ended 75');
  });

  it('forgets a stall that is over', async () => {
    const { said, pass, beat } = openWatch();
    await pass(12);
    beat();
    await pass(1);
    expect(said.slice(2)).toEqual(['The event loop is responsive again after 12 s.', 'forgotten']);
    await pass(29);
    expect(said.filter((line) => line.startsWith('ended'))).toEqual([]);
  });

  it('counts a time in which it did not run itself as two polls at most', async () => {
    const { said, watch, pass } = openWatch();
    watch.tick(3_600_000);
    await pass(0);
    expect(said).toEqual([]);
  });

  it('ignores a process whose main thread may be paused by a debugger', async () => {
    const { said, memory, pass } = openWatch();
    Atomics.store(memory, cells.debugged, 1);
    await pass(60);
    expect(said).toEqual([]);
  });

  it('reports that there is no stack while the main thread is in native code', async () => {
    const { said, pass } = openWatch('none');
    await pass(10);
    expect(said).toEqual([
      'The event loop has been blocked for 10 s. The main thread is in native code and has no stack to show.',
    ]);
  });

  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('ends a blocked process after the grace period and 15 s after %s', async (signal, code) => {
    const { said, watch, memory, pass, beat } = openWatch();
    Atomics.store(memory, cells.signals, signalModes.whileBlocked);
    await pass(1);
    beat();
    watch.signal(signal);
    await pass(19);
    expect(said.filter((line) => line.startsWith('ended'))).toEqual([]);
    await pass(1);
    expect(said.at(-1)).toBe(`ended ${code}`);
  });

  it.each([
    ['whileBlocked', 0],
    ['always', 1],
  ] as const)(
    'ends a process that keeps working after a signal only if configured (%s)',
    async (mode, ends) => {
      const { said, watch, memory, pass, beat } = openWatch();
      Atomics.store(memory, cells.signals, signalModes[mode]);
      watch.signal('SIGTERM');
      for (let second = 0; second < 20; second += 1) {
        beat();
        await pass(1);
      }
      expect(said.filter((line) => line.startsWith('ended'))).toHaveLength(ends);
    },
  );
});
