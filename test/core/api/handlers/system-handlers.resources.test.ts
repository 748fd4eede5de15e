import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { toRunJson } from '../../../../core/cli/run-report.ts';
import { hasProcessTable } from '../../../../core/process/process-table.ts';
import { makeTemporaryFolder, waitUntilPasses } from '../../../harness/resources.ts';
import { TestEngine, testCaller } from '../../../harness/engine.ts';

const interval = 5000;

class Monitored extends TestEngine {
  constructor(options: ConstructorParameters<typeof TestEngine>[0] = {}) {
    super(options);
    this.host.monitorResources();
  }

  history(input = {}) {
    return this.host.api.call('services.resourceHistory', input, testCaller);
  }

  usage(run: { name: string; dagRunId: string }) {
    return this.host.api.call('runs.usage', run, testCaller);
  }

  /**
   * Lets intervals pass until a condition holds. Each gets its reading, since two in a row without one are a gap. The
   * monitor rests after readings of runs: on a machine with many processes for dozens of intervals.
   */
  async untilSeen<Value>(ask: () => Promise<Value>, fits: (value: Value) => boolean): Promise<Value> {
    for (;;) {
      this.clock.advance(interval);
      await this.#waitForReading();
      const value = await ask();
      if (fits(value)) return value;
    }
  }

  /**
   * Starts a workflow whose step writes the file `started`, and waits for that: a process that two readings see before its
   * `exec` is not recognized as one of a run. On a busy machine an `exec` takes longer than the intervals of this test.
   */
  async startBusy(yaml: string, startFile: string): Promise<{ name: string; dagRunId: string }> {
    const run = await this.start(yaml);
    await waitUntilPasses(() => {
      if (!existsSync(startFile)) throw new Error('the step has not started');
    });
    return run;
  }

  async #waitForReading(): Promise<void> {
    // A reading that was still in progress skips this one.
    for (let turn = 0; turn < 1000; turn += 1) {
      const newest = (await this.history({ duration: '1m' })).memory.at(-1);
      if (newest !== undefined && Date.parse(newest.timestamp) === this.clock.now()) break;
      await nextTurn();
    }
    // The processes of runs are read next, a hundred per turn.
    for (let turn = 0; turn < 100; turn += 1) await nextTurn();
  }
}

describe('resource history', () => {
  it('is available after an interval, in the shape of the contract', async () => {
    const engine = new Monitored();
    const started = engine.clock.now();
    const history = await engine.untilSeen(
      () => engine.history(),
      ({ cpu }) => cpu.length > 1,
    );
    expect(history.intervalSec).toBe(5);
    expect(history.machine).toMatchObject({ cores: expect.any(Number), diskBytes: expect.any(Number) });
    expect(Date.parse(history.memory[0]!.timestamp)).toBe(started + interval);
    for (const { value } of [...history.cpu, ...history.memory, ...history.disk]) {
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThanOrEqual(100);
      expect(String(value)).toMatch(/^\d+(\.\d{1,2})?$/);
    }
  });

  it('covers the requested duration and resolution', async () => {
    const engine = new Monitored();
    await engine.untilSeen(
      () => engine.history(),
      ({ memory }) => memory.length > 11,
    );
    const all = (await engine.history()).memory;
    const from = engine.clock.now() - 10_000;
    const newest = all.filter(({ timestamp }) => Date.parse(timestamp) >= from);
    expect(newest.length).toBeGreaterThan(0);
    expect((await engine.history({ duration: '10s' })).memory).toEqual(newest);
    expect((await engine.history({ points: 4 })).memory.length).toBeLessThan(5);
  });

  it('rejects an invalid duration', async () => {
    const engine = new Monitored();
    for (const duration of ['', 'soon', '0', '-1h', '1 h', '1w'])
      await expect(engine.history({ duration })).rejects.toMatchObject({
        code: 'bad_request',
        message: 'duration: must be a duration such as 30m, 1h or 1d',
      });
  });

  it('is rejected when monitoring is off', async () => {
    const home = makeTemporaryFolder();
    writeFileSync(path.join(home, 'config.yaml'), 'monitoring: {interval: 0}');
    await expect(new Monitored({ home }).history()).rejects.toMatchObject({
      code: 'monitoring_off',
      message: expect.stringContaining('"monitor.intervalSec" is 0') as string,
    });
    const command = new TestEngine();
    await expect(command.host.api.call('services.resourceHistory', {}, testCaller)).rejects.toMatchObject({
      code: 'monitoring_off',
    });
  });
});

describe('resource usage of a run', () => {
  it('is rejected for an unknown run', async () => {
    await expect(new Monitored().usage({ name: 'a', dagRunId: 'b' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('is empty for a run that ended before it was measured', async () => {
    const engine = new TestEngine();
    const { name, dagRunId } = await engine.run('name: quick\nsteps: ["true"]');
    engine.host.monitorResources();
    expect(await engine.host.api.call('runs.usage', { name, dagRunId }, testCaller)).toEqual({
      active: false,
      cpuSeconds: 0,
      peakCpu: 0,
      peakMemory: 0,
      points: [],
    });
  });

  if (hasProcessTable)
    it('covers its processes and the runs of its steps, on this host or another', async () => {
      const engine = new Monitored();
      const onlooker = new Monitored({ home: engine.home, clock: engine.clock });
      // Busy until both hosts have seen it: what a process did before it was first measured is not counted.
      const folder = makeTemporaryFolder();
      const [startFile, seen] = [path.join(folder, 'started'), path.join(folder, 'seen')];
      const spin = `: > ${startFile}; while [ ! -e ${seen} ]; do :; done; exec sleep 600`;
      const run = await engine.startBusy(
        `name: parent\nsteps:\n  - run: child\n---\nname: child\nsteps:\n  - script: |\n      ${spin}\n`,
        startFile,
      );
      for (const host of [engine, onlooker]) {
        const usage = await host.untilSeen(
          () => host.usage(run),
          ({ cpuSeconds = 0, now }) => cpuSeconds > 0.02 && (now?.processes ?? 0) > 0,
        );
        expect(usage).toMatchObject({ active: true });
        expect(usage.peakMemory).toBeGreaterThan(100_000);
        expect(usage.now?.memory).toBeGreaterThan(100_000);
        expect(usage.points.length).toBeGreaterThan(0);
      }
      writeFileSync(seen, '');
      const [sub] = (await engine.get(run)).steps[0]!.subRuns;
      expect((await engine.usage(sub!)).cpuSeconds).toBeGreaterThan(0.02);
      engine.host.forceStop(run);
      await engine.end(run);
      const after = await engine.untilSeen(
        () => engine.usage(run),
        ({ active }) => !active,
      );
      expect(after.now).toBeUndefined();
      expect(after.cpuSeconds).toBeGreaterThan(0.02);
    });

  if (hasProcessTable)
    it('is stored at the end: the maximum seen, by hosts with and without monitoring', async () => {
      const engine = new Monitored();
      const startFile = path.join(makeTemporaryFolder(), 'started');
      const run = await engine.startBusy(
        `name: busy\nsteps:\n  - script: |\n      : > ${startFile}; while :; do :; done\n`,
        startFile,
      );
      const seen = await engine.untilSeen(
        () => engine.usage(run),
        ({ peakCpu, peakMemory }) => peakCpu > 0 && peakMemory > 0,
      );
      expect((await engine.get(run)).peakUsage).toBeUndefined();
      engine.host.forceStop(run);
      const { peakUsage } = await engine.end(run);
      expect(peakUsage!.cpu).toBeGreaterThanOrEqual(seen.peakCpu);
      expect(peakUsage!.memory).toBeGreaterThanOrEqual(seen.peakMemory);
      const peaks = { peakCpu: peakUsage!.cpu, peakMemory: peakUsage!.memory };
      expect(await engine.usage(run)).toMatchObject({ ...peaks, points: expect.any(Array) });

      const later = new TestEngine({ home: engine.home, clock: engine.clock });
      expect((await later.get(run)).peakUsage).toEqual(peakUsage);
      expect(await later.host.api.call('runs.usage', run, testCaller)).toEqual({
        active: false,
        ...peaks,
        points: [],
      });
      const view = await later.get(run);
      expect((await toRunJson(later.host.api, testCaller, view)).peakUsage).toEqual(peakUsage);
    });
});
