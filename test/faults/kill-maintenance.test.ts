import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { homePaths } from '../../core/home/config/home.ts';
import { runLogDir } from '../../core/store/run-logs.ts';
import { cleanupPoints, migrationPoints, restorePoints } from './points.ts';
import { checkHome } from './rig/check-home.ts';
import { type FaultTestHome, withFaultTestHome } from './rig/fault-home.ts';
import { begin, casesForPoints, killAt } from './rig/kill.ts';

const plain = 'histRetentionDays: -1\nsteps:\n  - { name: a, command: EFFECT }\n';

async function runOk(home: FaultTestHome, words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await home.run(words);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

async function history(home: FaultTestHome): Promise<string[]> {
  const { dagRuns } = JSON.parse(await runOk(home, ['history', '--format', 'json'])) as {
    dagRuns: { dagRunId: string }[];
  };
  return dagRuns.map(({ dagRunId }) => dagRunId).toSorted();
}

/** Files next to the home that start with its name. */
const beside = (home: FaultTestHome): string[] =>
  readdirSync(dirname(home.home)).filter((name) => /^home\.(restoring|before)/.test(name));

const onServer = process.env['FAULT_DATABASE'] === 'postgres';
const reason = onServer ? ' (a restore does not change the database of a server)' : '';

describe.skipIf(onServer).concurrent(`a killed restore${reason}`, () => {
  it.each(casesForPoints(restorePoints))(
    'leaves the old or the restored home, and can be repeated: %s',
    async (_title, moment, point) => {
      await withFaultTestHome(async (home) => {
        home.save('plain', plain);
        await runOk(home, [...begin('plain'), '--run-id', 'first']);
        await runOk(home, ['backup', home.file('backup.tar.gz')]);
        await runOk(home, [...begin('plain'), '--run-id', 'second']);
        const restore = ['restore', home.file('backup.tar.gz'), '--force'];
        await killAt(home, moment, restore);
        const held = await history(home);
        expect([['first'], ['first', 'second']]).toContainEqual(held);
        if (moment.afterMs === 0) expect(held).toHaveLength(point === 'restore.done' ? 1 : 2);
        expect(await runOk(home, ['logs', 'plain', '--run-id', 'first'])).toContain('line 60');
        await runOk(home, restore);
        expect(await history(home)).toEqual(['first']);
        expect(await runOk(home, ['logs', 'plain', '--run-id', 'first'])).toContain('line 60');
        expect(beside(home).filter((name) => name.includes('restoring'))).toEqual([]);
        await checkHome(home, { effects: false });
      });
    },
  );
});

/** Finished runs, more than one transaction of a cleanup deletes. */
async function addRuns(home: FaultTestHome, count: number): Promise<void> {
  const store = home.openStore();
  const owner = { host: 'here', pid: 1, pidStart: '1', bootId: 'boot' };
  for (let number = 0; number < count; number += 1) {
    const spec = { text: plain, document: 0 };
    const options = {
      name: 'many',
      dagRunId: `r${number}`,
      spec,
      trigger: 'cli',
      params: [],
      owner,
    } as const;
    const run = await store.createRun({ ...options, maxActiveRuns: -1 }, number);
    const logDir = runLogDir(run, number, undefined);
    mkdirSync(join(home.home, logDir), { recursive: true });
    const events = [
      { at: number, event: { type: 'run.started', logDir } },
      { at: number, event: { type: 'run.finished', status: 'succeeded', outputs: {} } },
    ] as const;
    await store.append([{ runKey: run.key, epoch: run.epoch, events }]);
  }
  store.close();
}

describe.concurrent('a killed cleanup', () => {
  it.each(casesForPoints(cleanupPoints))(
    'has deleted only whole runs, and is completed by the next one: %s',
    async (_title, moment, point) => {
      await withFaultTestHome(async (home) => {
        home.save('plain', plain);
        await runOk(home, begin('plain'));
        await addRuns(home, 250);
        const cleanup = ['cleanup', 'many', '--keep', '5', '--orphans', '--yes'];
        await killAt(home, moment, cleanup, /^RUN ID /);
        const left = (await home.query("SELECT 1 FROM run WHERE dag = 'many'")).length;
        const atMoment = { 'cleanup.purged': 150, 'cleanup.purged@2': 50, 'cleanup.logs_removed': 5 }[point];
        expect(moment.afterMs === 0 ? [atMoment] : [150, 50, 5]).toContain(left);
        await runOk(home, cleanup);
        expect(await home.query("SELECT 1 FROM run WHERE dag = 'many'")).toHaveLength(5);
        expect(readdirSync(join(homePaths(home.home).logs, 'many'))).toHaveLength(5);
        await checkHome(home);
      });
    },
  );
});

/** A folder of the old history with one run. */
function addOldRun(dataDir: string, name: string): void {
  const folder = join(dataDir, `${name}-0123456789abcdef0123456789abcdef`);
  mkdirSync(folder, { recursive: true });
  const times = { StartedAt: '2025-03-01T10:00:00Z', FinishedAt: '2025-03-01T10:00:02Z' };
  const nodes = [{ Step: { name: 'a', cmdWithArgs: 'echo a' }, Status: 4, StatusText: '', ...times }];
  const record = { RequestId: `${name}-1`, Name: name, Status: 4, StatusText: '', Nodes: nodes, ...times };
  writeFileSync(
    join(folder, `${name}.20250301.10:00:00.000Z.${name}-1.dat`),
    `${JSON.stringify({ ...record, Pid: 12, OnExit: null, Log: '' })}\n`,
  );
}

describe.concurrent('a killed migration', () => {
  it.each(casesForPoints(migrationPoints))(
    'imports each run once when repeated: %s',
    async (_title, moment) => {
      await withFaultTestHome(async (home) => {
        const dataDir = home.file('old');
        for (const name of ['one', 'two']) addOldRun(dataDir, name);
        const migrate = ['migrate', 'history', '--data-dir', dataDir];
        await killAt(home, moment, migrate);
        await runOk(home, migrate);
        expect(await history(home)).toEqual(['one-1', 'two-1']);
        const names = readdirSync(dataDir);
        expect(names.filter((name) => !name.startsWith('history_migrated_'))).toEqual([]);
        const moved = names.flatMap((name) => readdirSync(join(dataDir, name)));
        expect(moved.map((name) => name.slice(0, 3)).toSorted()).toEqual(['one', 'two']);
        await checkHome(home);
      });
    },
  );
});
