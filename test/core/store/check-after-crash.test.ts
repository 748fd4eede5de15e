import { closeSync, copyFileSync, openSync, statSync, writeSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkDatabase, copyDatabase } from '../../../core/store/check-database.ts';
import { isDatabaseInUse } from '../../../core/store/storage.ts';
import { openStore } from '../../../core/store/open-store.ts';
import { createOwnedRun, describeRun, makeDatabasePath, thrownBy } from './store-harness.ts';

/** A database as left by a killed process: with a log next to it, and possibly with a corrupted last page. */
async function makeLeftDatabase(spoilt: boolean): Promise<string> {
  const file = makeDatabasePath();
  const first = openStore({ file });
  for (let count = 0; count < 20; count += 1)
    await createOwnedRun(first, { spec: { text: `${count}${'x'.repeat(9000)}`, document: 0 } });
  first.close();
  const store = openStore({ file });
  await store.createRun(describeRun(), 1);
  const copy = makeDatabasePath();
  for (const suffix of ['', '-wal']) copyFileSync(file + suffix, copy + suffix);
  store.close();
  if (spoilt) spoil(copy, statSync(copy).size - 4096 * 30, 8192);
  return copy;
}

function spoil(file: string, position: number, bytes: number): void {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(bytes, 0xa5), 0, bytes, position);
  closeSync(descriptor);
}

describe('a database that its last user did not close', () => {
  test('is checked by long-running hosts, and rejected with possible remedies when it is damaged', async () => {
    const file = await makeLeftDatabase(true);
    const error = await thrownBy(() => openStore({ file, checkAfterCrash: true }));
    expect(error).toMatchObject({
      code: 'database_corrupt',
      message: expect.stringContaining('engine salvage'),
    });
    expect(checkDatabase(file)).not.toEqual([]);
  });

  test('is opened by them when it is valid', async () => {
    const store = openStore({ file: await makeLeftDatabase(false), checkAfterCrash: true });
    expect(await store.listRuns({ limit: 100 })).toHaveLength(21);
    store.close();
  });
});

describe('whether a database is in use', () => {
  test('depends on open connections, not on files left by a killed process', async () => {
    const file = await makeLeftDatabase(false);
    expect(isDatabaseInUse(file)).toBe(false);
    expect(isDatabaseInUse(`${file}.none`)).toBe(false);
    const store = openStore({ file });
    onTestFinished(() => store.close());
    expect(isDatabaseInUse(file)).toBe(true);
    expect((await store.createRun(describeRun(), 1)).key).toBeGreaterThan(20);
  });

  test('does not prevent a complete copy', async () => {
    const file = await makeLeftDatabase(false);
    const store = openStore({ file });
    onTestFinished(() => store.close());
    const target = makeDatabasePath();
    copyDatabase(file, target);
    expect(statSync(target).mode & 0o777).toBe(0o600);
    const copy = openStore({ file: target });
    expect(await copy.listRuns({ limit: 100 })).toEqual(await store.listRuns({ limit: 100 }));
    copy.close();
    spoil(target, 20_000, 30_000);
    expect((await thrownBy(() => copyDatabase(target, `${target}.2`))).code).toBe('database_corrupt');
  });
});
