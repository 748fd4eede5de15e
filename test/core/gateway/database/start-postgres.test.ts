import { chmodSync, fsyncSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startPostgres } from '../../../../core/gateway/database/embedded/start-postgres.ts';
import { makeTemporaryFolder } from '../../../rig/temporary-folder.ts';
import { onTestCleanup } from '../../../rig/on-test-cleanup.ts';

it('a commit is on the disk before it is answered, and a read waits for no disk', async () => {
  let synced = 0;
  const database = await startPostgres(makeTemporaryFolder(), (descriptor) => {
    fsyncSync(descriptor);
    synced += 1;
  });
  onTestCleanup(() => database.close());
  await database.exec('create table rows (id int)');

  const before = synced;
  await database.query('insert into rows values (1)');
  expect(synced).toBe(before + 1);
  await database.query('select * from rows');
  expect(synced).toBe(before + 1);
}, 60_000);

it('a disk that refuses is an end of the database, not a lost commit', async () => {
  let isBroken = false;
  const database = await startPostgres(makeTemporaryFolder(), (descriptor) => {
    if (isBroken) throw Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' });
    fsyncSync(descriptor);
  });
  await database.exec('create table rows (id int)');
  isBroken = true;
  await expect(database.query('insert into rows values (1)')).rejects.toThrow('could not fsync');
}, 60_000);

it('a lock that an ended process has left without its text keeps nobody out', async () => {
  const folder = makeTemporaryFolder();
  const first = await startPostgres(folder);
  await first.exec('create table rows (id int)');
  await first.close();
  writeFileSync(join(folder, 'postmaster.pid'), '');
  const second = await startPostgres(folder);
  onTestCleanup(() => second.close());
  expect((await second.query('select * from rows')).rows).toEqual([]);
}, 60_000);

it.runIf(process.platform !== 'win32')(
  'its files are for their owner alone, those of an earlier version as well',
  async () => {
    const folder = makeTemporaryFolder();
    const readable = () =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
        (name) => (statSync(join(folder, name)).mode & 0o077) !== 0,
      );
    const first = await startPostgres(folder);
    await first.exec('create table rows (id int)');
    await first.close();
    const second = await startPostgres(folder);
    await second.query('select * from rows');
    await second.close();
    expect(readable()).toEqual([]);
    const caches = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('pg_internal.init'),
    );
    expect(caches).not.toEqual([]);
    for (const cache of caches) chmodSync(join(folder, cache), 0o644);
    await (await startPostgres(folder)).close();
    expect(readable()).toEqual([]);
  },
  60_000,
);
