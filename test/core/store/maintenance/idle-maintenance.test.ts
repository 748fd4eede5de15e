import { statSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { IdleMaintenance } from '../../../../core/store/maintenance/idle-maintenance.ts';
import { SqliteDatabase } from '../../../../core/store/database/sqlite-database.ts';
import { migrate, migrations } from '../../../../core/store/database/migrate.ts';
import { openStore } from '../../../../core/store/open-store.ts';
import { createOwnedRun, makeDatabasePath } from '../store-harness.ts';
import { FakeClock, silentLogger } from '../../../harness/fakes.ts';

/** A store with 12 MB of deleted runs, and its maintenance. */
async function makeStore(file = makeDatabasePath()) {
  const store = openStore({ file });
  for (let count = 0; count < 6; count += 1) {
    const { write } = await createOwnedRun(store, {
      spec: { text: `# ${count}${'x'.repeat(2_000_000)}`, document: 0 },
    });
    await write([
      { type: 'run.started', logDir: 'l' },
      { type: 'run.finished', status: 'succeeded', outputs: {} },
    ]);
  }
  await store.purgeRuns('etl', { before: 1e12 });
  const clock = new FakeClock();
  const state = { busy: false };
  const maintenance = new IdleMaintenance(store.maintenance, clock, silentLogger, () => state.busy);
  maintenance.start();
  onTestFinished(async () => {
    await maintenance.close();
    expect(clock.pending).toBe(0);
    store.close();
  });
  const minute = async (): Promise<void> => {
    clock.advance(60_000);
    await maintenance.settled();
  };
  const sizes = async () => ({
    wal: statSync(`${file}-wal`).size,
    free: await store.maintenance.freeBytes(),
  });
  return { store, file, state, minute, sizes };
}

test('counts runs from before the counts existed, at any activity', async () => {
  const file = makeDatabasePath();
  const store = openStore({ file });
  onTestFinished(() => store.close());
  await (await createOwnedRun(store)).write([{ type: 'run.finished', status: 'failed', outputs: {} }]);
  const database = new SqliteDatabase(file);
  onTestFinished(() => database.close());
  database.execute('DELETE FROM run_outcome_count');
  database.run('UPDATE run_outcome_progress SET counted_from = ?', Number.MAX_SAFE_INTEGER);
  const clock = new FakeClock();
  const maintenance = new IdleMaintenance(store.maintenance, clock, silentLogger, () => true);
  maintenance.start();
  await maintenance.settled();
  await maintenance.close();
  expect(database.all('SELECT quarter, failed FROM run_outcome_count')).toEqual([{ quarter: 0, failed: 1 }]);
});

describe('idle database', () => {
  test('releases its free space and truncates its log after a minute without activity', async () => {
    const { file, minute, sizes } = await makeStore();
    await minute();
    expect((await sizes()).free).toBeGreaterThan(11_000_000);
    await minute();
    expect(await sizes()).toEqual({ wal: 0, free: 0 });
    expect(statSync(file).size).toBeLessThan(1_000_000);
  });

  test('is skipped during runs and external writes, and for a minute after', async () => {
    const { store, file, state, minute, sizes } = await makeStore();
    const other = openStore({ file });
    onTestFinished(() => other.close());
    state.busy = true;
    for (let count = 0; count < 3; count += 1) await minute();
    expect((await sizes()).free).toBeGreaterThan(11_000_000);
    state.busy = false;
    await minute();
    await createOwnedRun(other);
    await minute();
    expect((await sizes()).free).toBeGreaterThan(11_000_000);
    await minute();
    expect(await sizes()).toEqual({ wal: 0, free: 0 });
    expect(await store.listRuns({ limit: 9 })).toHaveLength(1);
  });

  test('does not wait: a writing process prevents maintenance', async () => {
    const { file, minute, sizes } = await makeStore();
    await minute();
    const other = new SqliteDatabase(file);
    other.configure();
    other.execute('BEGIN IMMEDIATE');
    await minute();
    expect((await sizes()).free).toBeGreaterThan(11_000_000);
    other.execute('ROLLBACK');
    other.close();
  });

  test('created before incremental vacuum is rewritten once', async () => {
    const file = makeDatabasePath();
    const old = new SqliteDatabase(file);
    old.execute('PRAGMA auto_vacuum = NONE; CREATE TABLE t (x); DROP TABLE t');
    old.configure();
    migrate(old, migrations);
    old.close();
    const { store, minute, sizes } = await makeStore(file);
    await minute();
    await minute();
    expect(await sizes()).toEqual({ wal: 0, free: 0 });
    expect(await store.listRuns({ limit: 9 })).toEqual([]);
    const reader = new SqliteDatabase(file);
    expect(reader.pragma('auto_vacuum')).toBe(2);
    reader.close();
  });
});
