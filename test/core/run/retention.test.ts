import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { runLogDir, findLogFolder, type RemoveRemoteData } from '../../../core/store/run-logs.ts';
import type { PurgedRun, PurgeLimits } from '../../../core/store/types/runs.ts';
import { Retention } from '../../../core/run/retention.ts';
import { FakeClock, silentLogger } from '../../harness/fakes.ts';
import { makeTemporaryFolder } from '../../harness/resources.ts';
import { TestEngine, testCaller } from '../../harness/engine.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** What is left of a run with a sub-run, some days after its end, when the workflow has been run again. */
async function runLater(days: number, text = '', base = '') {
  const engine = new TestEngine();
  writeFileSync(path.join(engine.home, 'base.yaml'), base);
  const spec = `name: etl\n${text}\nsteps: [{ name: call, run: child }]\n---\nname: child\nsteps: [echo a]\n`;
  const old = await engine.run(spec);
  const child = await engine.get(old.steps[0]!.subRuns[0]!);
  engine.clock.advance(days * dayMs);
  const { dagRunId } = await engine.run(spec);
  // As `engine start` does at its end.
  await engine.host.close('stop');
  const { api } = new TestEngine({ home: engine.home, clock: engine.clock }).host;
  const { dagRuns } = await api.call('runs.list', { subRuns: true }, testCaller);
  expect(dagRuns.map((run) => run.dagRunId)).toContain(dagRunId);
  return { runs: dagRuns.length, logs: [old, child].filter(({ logDir }) => existsSync(logDir!)).length };
}

describe('histRetentionDays', () => {
  const kept = { runs: 4, logs: 2 };
  const gone = { runs: 2, logs: 0 };

  test.each([
    ['', 29, kept],
    ['', 31, gone],
    ['histRetentionDays: 0', 29, kept],
    ['histRetentionDays: 0', 31, gone],
    ['histRetentionDays: 1', 0.9, kept],
    ['histRetentionDays: 1', 1.1, gone],
    ['histRetentionDays: -1', 5000, kept],
  ])(
    'determines what a start deletes, including sub-runs and logs: "%s" after %d days',
    async (text, days, left) => {
      expect(await runLater(days, text)).toEqual(left);
    },
  );

  test('can come from the base configuration', async () => {
    expect(await runLater(2, '', 'histRetentionDays: 1')).toEqual(gone);
  });

  test('does not affect runs of other workflows', async () => {
    const engine = new TestEngine();
    const old = await engine.run('name: one\nsteps: [echo a]');
    engine.clock.advance(31 * dayMs);
    await engine.run('name: two\nsteps: [echo a]');
    await engine.host.close('stop');
    expect(existsSync(old.logDir!)).toBe(true);
  });
});

/** Retention over a store that returns these runs, batch by batch. */
function makeRetention(
  home: string,
  batches: (readonly PurgedRun[] | Error)[],
  removeRemoteData?: RemoveRemoteData,
) {
  const asked: [string, PurgeLimits][] = [];
  const warnings: string[] = [];
  const store = {
    purgeRuns: async (name: string, limits: PurgeLimits) => {
      asked.push([name, limits]);
      const batch = batches.shift() ?? [];
      if (batch instanceof Error) throw batch;
      return batch;
    },
  };
  const logger = { ...silentLogger, warn: (message: string) => void warnings.push(message) };
  const retention = new Retention({ store, home, clock: new FakeClock(5 * dayMs), logger, removeRemoteData });
  return { retention, asked, warnings };
}

describe('deleting old runs', () => {
  const run = { name: 'etl', dagRunId: 'a' };

  test('continues, one transaction per tick, until there are no more', async () => {
    const { retention, asked } = makeRetention('/home', [[{ ...run, logDir: '' }], [{ ...run, logDir: '' }]]);
    retention.purge('etl', { histRetentionDays: 2 });
    retention.purge('etl', { histRetentionDays: 2 });
    expect(asked).toEqual([]);
    await retention.settled();
    expect(asked).toEqual(Array.from({ length: 3 }, () => ['etl', { before: 3 * dayMs }]));
    retention.purge('etl', { histRetentionDays: 2 });
    await retention.settled();
    expect(asked).toHaveLength(4);
  });

  test('leaves a rest to the next start', async () => {
    const batches = Array.from({ length: 15 }, () => [{ ...run, logDir: '' }]);
    const { retention, asked } = makeRetention('/home', batches);
    retention.purge('etl', {});
    await retention.settled();
    expect(asked).toHaveLength(10);
  });

  test('reports a failure without further effect', async () => {
    const { retention, warnings } = makeRetention('/home', [new Error('disk full')]);
    retention.purge('etl', {});
    await retention.settled();
    expect(warnings).toEqual(['Cannot delete old runs']);
  });

  test('deletes only the directory of the run, and follows no link', async () => {
    const home = makeTemporaryFolder();
    const outside = path.join(makeTemporaryFolder(), 'kept');
    const logDir = runLogDir(run, 0);
    const beside = path.join(home, runLogDir({ ...run, dagRunId: 'ab' }, 0));
    for (const folder of [path.join(home, logDir), outside, beside]) mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(outside, 'file'), '');
    symlinkSync(outside, path.join(home, logDir, 'link'));
    const { retention, warnings } = makeRetention(home, [
      [
        { ...run, logDir },
        { ...run, logDir },
      ],
    ]);
    retention.purge('etl', {});
    await retention.settled();
    expect(existsSync(path.join(home, logDir))).toBe(false);
    expect([outside, path.join(outside, 'file'), beside].filter((place) => !existsSync(place))).toEqual([]);
    expect(warnings).toEqual([]);
  });
});

describe('stored files of a run in a bucket', () => {
  const run = { name: 'etl', dagRunId: 'a' };
  const makeFolder = (): { home: string; logDir: string; folder: string } => {
    const [home, logDir] = [makeTemporaryFolder(), runLogDir(run, 0)];
    mkdirSync(path.join(home, logDir), { recursive: true });
    return { home, logDir, folder: path.join(home, logDir) };
  };

  test('are deleted before the directory of the run', async () => {
    const { home, logDir, folder } = makeFolder();
    const removed: [string, boolean][] = [];
    const removeRemoteData = async (place: string) => void removed.push([place, existsSync(place)]);
    const { retention, warnings } = makeRetention(home, [[{ ...run, logDir }]], removeRemoteData);
    retention.purge('etl', {});
    await retention.settled();
    expect(removed).toEqual([[folder, true]]);
    expect(existsSync(folder)).toBe(false);
    expect(warnings).toEqual([]);
  });

  test('keep the directory if they cannot be deleted, so that they can be found', async () => {
    const { home, logDir, folder } = makeFolder();
    const removeRemoteData = () => Promise.reject(new Error('no bucket'));
    const { retention, warnings } = makeRetention(home, [[{ ...run, logDir }]], removeRemoteData);
    retention.purge('etl', {});
    await retention.settled();
    expect(existsSync(folder)).toBe(true);
    expect(warnings).toEqual(['Cannot delete the logs of an old run']);
  });
});

describe('number of runs to retain', () => {
  test('is that of the workflow, else that of the configuration, in addition to the days', async () => {
    const asked: PurgeLimits[] = [];
    const store = { purgeRuns: async (_: string, limits: PurgeLimits) => (asked.push(limits), []) };
    const retention = new Retention({
      store,
      home: '/home',
      clock: new FakeClock(40 * dayMs),
      logger: silentLogger,
      defaults: { retentionDays: -1, retentionRuns: 7 },
    });
    const settings = [{ histRetentionRuns: 3 }, {}, { histRetentionRuns: -1 }, { histRetentionDays: 10 }];
    for (const workflow of settings) {
      retention.purge('etl', workflow);
      await retention.settled();
    }
    expect(asked).toEqual([{ keep: 3 }, { keep: 7 }, { before: 30 * dayMs }, { keep: 7 }]);
  });
});

describe('log directory of a run', () => {
  const run = { name: 'etl', dagRunId: 'a-1' };
  const find = (logDir: string) => findLogFolder('/home', { ...run, logDir });

  test('is in the home or below the logDir of the workflow', () => {
    const inHome = runLogDir(run, 0);
    expect(find(inHome)).toBe(path.resolve('/home', inHome));
    const elsewhere = path.resolve('/var/log', 'etl', path.basename(inHome));
    expect(find(elsewhere)).toBe(elsewhere);
  });

  test.each([
    '',
    '.',
    'logs',
    'logs/etl',
    'logs/etl/19700101T000000Z_a-2',
    'logs/etl/19700101T000000Z_a-1/..',
    'logs/etl/a-1',
    'logs/other/19700101T000000Z_a-1',
    'dags/etl/19700101T000000Z_a-1',
    '../logs/etl/19700101T000000Z_a-1',
    'logs/../../etl/19700101T000000Z_a-1',
    'logs/deep/etl/19700101T000000Z_a-1',
    '/',
    '/var/log',
    '/var/log/etl',
    '/var/log/19700101T000000Z_a-1',
    '/var/log/etl/19700101T000000Z_a-1/..',
  ])('is nothing else: %s', (logDir) => expect(find(logDir)).toBeUndefined());
});
