import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AppError } from '../../../core/base/errors.ts';
import type { RunEvent } from '../../../core/model/run-event.ts';
import type { RunStore } from '../../../core/store/types/runs.ts';
import { createStore, openStore } from '../../../core/store/open-store.ts';
import { toSqliteError } from '../../../core/store/database/store-error.ts';
import { makeTemporaryFolder } from '../../harness/resources.ts';
import {
  createOwnedRun,
  type OwnedRun,
  describeRun,
  makeDatabasePath,
  openMemoryDatabase,
  thrownBy,
} from './store-harness.ts';

describe('an unusable home', () => {
  it.each([
    ['without its directory', (file: string) => join(dirname(file), 'gone', 'engine.db'), 'gone not found'],
    ['with a directory in place of the database', (file: string) => (mkdirSync(file), file), 'folder'],
    [
      'with a file in place of its directory',
      (file: string) => (writeFileSync(file, ''), join(file, 'engine.db')),
      'a part of the path is a file',
    ],
  ])('is one %s', async (_, prepare, reason) => {
    const file = prepare(makeDatabasePath());
    const error = await thrownBy(() => openStore({ file }));
    expect(error.code).toBe('home_unusable');
    expect(error.message).toContain(file);
    expect(error.message).toContain(reason);
  });

  it('is one that is read-only, new or not', () => {
    const file = makeDatabasePath();
    openStore({ file }).close();
    chmodSync(file, 0o444);
    chmodSync(dirname(file), 0o555);
    withoutPrivileges(() => {
      for (const name of ['engine.db', 'new.db'])
        expect(() => openStore({ file: join(dirname(file), name) })).toThrow(
          expect.objectContaining({
            code: 'home_unusable',
            message: expect.stringContaining('permission denied') as string,
          }),
        );
    });
  });
});

const note: RunEvent = { type: 'run.message', level: 'info', message: 'x'.repeat(3000) };

/** Writes until the store rejects; returns the error and how many events were acknowledged. */
async function fillUp(store: RunStore): Promise<{
  refusal: AppError;
  run: OwnedRun;
  written: number;
}> {
  const run = await createOwnedRun(store);
  let written = 1;
  const error = await thrownBy(async () => {
    for (;;) {
      await run.write([note, note, note]);
      written += 3;
    }
  });
  return { refusal: error, run, written };
}

describe('full disk', () => {
  it('rejects the write, keeps existing data, and continues when there is space again', async () => {
    const database = openMemoryDatabase();
    const store = createStore(database);
    database.execute(`PRAGMA max_page_count = ${database.pragma('page_count') + 40}`);
    const { refusal: error, run, written } = await fillUp(store);
    expect(error.code).toBe('storage_full');
    expect(await store.listEvents(0, 1000, run.run)).toHaveLength(written);
    expect(
      (
        await thrownBy(() =>
          store.createRun(describeRun({ spec: { text: 'x'.repeat(10_000), document: 0 } }), 1),
        )
      ).code,
    ).toBe('storage_full');
    expect(await store.listRuns({ limit: 10 })).toHaveLength(1);
    database.execute('PRAGMA max_page_count = 100000');
    expect(await run.write([note])).toEqual({ outcome: 'written' });
    expect(await store.listEvents(0, 1000, run.run)).toHaveLength(written + 1);
  });

  it('is detected by the error of the system', async (context) => {
    const folder = makeTemporaryFolder();
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]);
    if (mounted.status !== 0) context.skip('mounting a small disk needs root');
    onTestFinished(() => void spawnSync('umount', [folder]));
    const file = join(folder, 'engine.db');
    const store = openStore({ file });
    const { refusal: error, run, written } = await fillUp(store);
    expect(error.code).toBe('storage_full');
    expect(error.message).toContain(file);
    expect(await store.listEvents(0, 1000, run.run)).toHaveLength(written);
    store.close();
    spawnSync('mount', ['-o', 'remount,size=4m', folder]);
    const reopened = openStore({ file });
    expect(await reopened.listEvents(0, 1000, run.run)).toHaveLength(written);
    expect((await reopened.createRun(describeRun(), 1)).status).toBe('not_started');
    reopened.close();
  });
});

describe('SQLite error', () => {
  it.each([
    ['SQLITE_CORRUPT', 'database_corrupt'],
    ['SQLITE_CORRUPT_INDEX', 'database_corrupt'],
    ['SQLITE_NOTADB', 'database_corrupt'],
    ['SQLITE_FULL', 'storage_full'],
    ['SQLITE_IOERR_WRITE', 'storage_full'],
    ['SQLITE_IOERR_SHMSIZE', 'storage_full'],
    ['SQLITE_IOERR_READ', 'home_unusable'],
    ['SQLITE_READONLY_DIRECTORY', 'home_unusable'],
    ['SQLITE_CANTOPEN', 'home_unusable'],
    ['SQLITE_BUSY', 'unavailable'],
    ['SQLITE_BUSY_SNAPSHOT', 'unavailable'],
  ])('%s becomes %s, with the name of the file', (sqlite, code) => {
    const described = toSqliteError(
      new SqliteDatabase.SqliteError('as SQLite says', sqlite),
      '/home/engine.db',
    );
    expect(described).toBeInstanceOf(AppError);
    expect(described).toMatchObject({ code, message: expect.stringContaining('/home/engine.db') });
  });

  it('is unchanged when it is a defect of ours', () => {
    const error = new SqliteDatabase.SqliteError('no such table', 'SQLITE_ERROR');
    expect(toSqliteError(error, 'x')).toBe(error);
  });
});

/** Root can write everywhere, so it temporarily becomes an unprivileged user. */
function withoutPrivileges(operation: () => void): void {
  if (process.geteuid?.() !== 0) return operation();
  process.seteuid!(65_534);
  try {
    operation();
  } finally {
    process.seteuid!(0);
  }
}
