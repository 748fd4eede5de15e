import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { cleanUp, planCleanup } from '../../../../core/store/maintenance/cleanup.ts';
import { openHome } from '../../../../core/store/maintenance/open-home.ts';
import type { ImportedRun } from '../../../../core/store/types/maintenance.ts';
import { openImportStore } from '../../../../core/store/import-runs.ts';
import { homePaths } from '../../../../core/home/config/home.ts';
import { runLogDir } from '../../../../core/store/run-logs.ts';
import { createOwnedRun } from '../store-harness.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';

const dayMs = 24 * 60 * 60 * 1000;
const now = 100 * dayMs;

/** A home with ended runs, the newest of today and each other one a minute older; every tenth, from the first, has a log. */
async function makeHome(count: number) {
  const home = makeTemporaryFolder();
  const store = openHome(homePaths(home));
  onTestFinished(() => store.close());
  const imports = openImportStore({ file: homePaths(home).database });
  const runs = Array.from({ length: count }, (_, index): ImportedRun => {
    const finishedAt = now - index * 60_000;
    const run = { name: 'etl', dagRunId: `r${index}` };
    const logDir = runLogDir(run, finishedAt);
    if (index % 10 === 0) {
      mkdirSync(path.join(home, logDir, 'a.1'), { recursive: true });
      writeFileSync(path.join(home, logDir, 'a.1', 'stdout.log'), 'x');
    }
    const status = index % 10 === 0 ? 'failed' : 'succeeded';
    const node = { section: 'step', name: 'a' } as const;
    const step = { node, status, attempt: 1, dir: 'a.1', startedAt: finishedAt, finishedAt } as const;
    const times = { createdAt: finishedAt, startedAt: finishedAt, finishedAt };
    return {
      ...run,
      status,
      params: [],
      ...times,
      logDir,
      outputs: {},
      spec: 'steps: []',
      note: '',
      steps: [step],
    };
  });
  await imports.importRuns(runs);
  imports.close();
  return { home, store, clock: new FakeClock(now) };
}

describe('cleanup', () => {
  test('of ten thousand runs leaves those within retention, and no other directory', async () => {
    const parts = await makeHome(10_000);
    const { home, store } = parts;
    const options = { name: 'etl', keep: 10 };
    const { runs } = await planCleanup(options, parts);
    expect([runs.length, runs[0]!.dagRunId, runs.at(-1)!.dagRunId]).toEqual([9990, 'r9999', 'r10']);
    const told: number[] = [];
    const report = await cleanUp(options, parts, { onProgress: (done) => told.push(done) });
    expect(report).toEqual({ runs: 9990, logFolders: 999, failures: [] });
    expect(told.at(-1)).toBe(9990);
    expect((await store.listRuns({ limit: 100 })).map(({ dagRunId }) => dagRunId)).toEqual(
      Array.from({ length: 10 }, (_, index) => `r${index}`),
    );
    expect(readdirSync(path.join(home, 'logs', 'etl'))).toHaveLength(1);
    expect(await store.maintenance.freeBytes()).toBe(0);
  }, 120_000);

  test('filters by age and status, and deletes empty workflow directories, too', async () => {
    const parts = await makeHome(50);
    const old = { name: 'etl', retentionDays: 20 / (24 * 60), statuses: ['failed'] as const };
    expect((await planCleanup(old, parts)).runs.map(({ dagRunId }) => dagRunId)).toEqual(['r40', 'r30']);
    expect(await cleanUp(old, parts)).toMatchObject({ runs: 2, logFolders: 2 });
    expect(await cleanUp({ name: 'etl' }, parts)).toMatchObject({ runs: 48 });
    expect(existsSync(path.join(parts.home, 'logs', 'etl'))).toBe(false);
  });

  test('never deletes active runs, nor anything of another workflow', async () => {
    const parts = await makeHome(3);
    const { store, home } = parts;
    const active = await createOwnedRun(store, { dagRunId: 'active' });
    await active.write([{ type: 'run.started', logDir: runLogDir(active.run, 0) }]);
    mkdirSync(path.join(home, runLogDir(active.run, 0)), { recursive: true });
    await (
      await createOwnedRun(store, { name: 'other', dagRunId: 'o1' })
    ).write([
      { type: 'run.started', logDir: 'l' },
      { type: 'run.finished', status: 'failed', outputs: {} },
    ]);
    expect(await cleanUp({ name: 'etl' }, parts)).toMatchObject({ runs: 3 });
    expect((await store.listRuns({ limit: 9 })).map(({ dagRunId }) => dagRunId)).toEqual(['o1', 'active']);
    expect(existsSync(path.join(home, runLogDir(active.run, 0)))).toBe(true);
  });

  test('finds log directories without a run, and deletes them on request', async () => {
    const parts = await makeHome(2);
    const { home } = parts;
    const orphan = path.join(home, runLogDir({ name: 'etl', dagRunId: 'gone' }, 0));
    const foreign = path.join(home, 'logs', 'etl', 'my-notes');
    for (const folder of [orphan, foreign]) mkdirSync(folder);
    const { orphans } = await planCleanup({ name: 'etl' }, parts);
    expect(orphans).toEqual([orphan]);
    expect(await cleanUp({ name: 'etl' }, parts)).toMatchObject({ runs: 2, logFolders: 1 });
    expect(existsSync(orphan)).toBe(true);
    expect(await cleanUp({ name: 'etl' }, parts, { orphans })).toMatchObject({ runs: 0, logFolders: 1 });
    expect(readdirSync(path.join(home, 'logs', 'etl'))).toEqual(['my-notes']);
  });

  test('reports a directory that cannot be deleted, and continues', async () => {
    const parts = await makeHome(2);
    const orphan = `${parts.home}/logs/etl/\0`;
    const report = await cleanUp({ name: 'etl' }, parts, { orphans: [orphan] });
    expect(report).toMatchObject({ runs: 2, failures: [{ folder: orphan, reason: expect.any(String) }] });
  });
});
