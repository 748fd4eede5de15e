import { execFileSync } from 'node:child_process';
import { chmodSync, fsyncSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startPostgres } from '../../../../core/gateway/database/start-postgres.ts';
import { createOnce, makeTemporaryFolder, onTestCleanup } from '../../../harness/resources.ts';

/** A new data directory, whose creation takes PostgreSQL seconds. */
const template = createOnce(async () => {
  const folder = makeTemporaryFolder();
  await (await startPostgres(folder)).close();
  return folder;
});

/** A copy of the new data directory, with its permissions. */
function makeDataFolder(): string {
  const folder = makeTemporaryFolder();
  execFileSync('cp', ['-a', `${template()}/.`, folder], { timeout: 30_000 });
  return folder;
}

it('a commit is flushed to disk before the response, and a read does not wait for the disk', async () => {
  let synced = 0;
  const database = await startPostgres(makeDataFolder(), (descriptor) => {
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

it('a failed flush ends the database instead of losing a commit', async () => {
  let isBroken = false;
  const database = await startPostgres(makeDataFolder(), (descriptor) => {
    if (isBroken) throw Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' });
    fsyncSync(descriptor);
  });
  await database.exec('create table rows (id int)');
  isBroken = true;
  await expect(database.query('insert into rows values (1)')).rejects.toThrow('could not fsync');
}, 60_000);

it('ignores an empty lock file of a process that has exited', async () => {
  const folder = makeDataFolder();
  const first = await startPostgres(folder);
  await first.exec('create table rows (id int)');
  await first.close();
  writeFileSync(join(folder, 'postmaster.pid'), '');
  const second = await startPostgres(folder);
  onTestCleanup(() => second.close());
  expect((await second.query('select * from rows')).rows).toEqual([]);
}, 60_000);

it.runIf(process.platform !== 'win32')(
  'its files are accessible to their owner only, including those of an earlier version',
  async () => {
    const listReadable = (folder: string) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
        (name) => (statSync(join(folder, name)).mode & 0o077) !== 0,
      );
    expect(listReadable(template())).toEqual([]);
    const folder = makeDataFolder();
    const first = await startPostgres(folder);
    await first.exec('create table rows (id int)');
    await first.close();
    const second = await startPostgres(folder);
    await second.query('select * from rows');
    await second.close();
    expect(listReadable(folder)).toEqual([]);
    const caches = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('pg_internal.init'),
    );
    expect(caches).not.toEqual([]);
    for (const cache of caches) chmodSync(join(folder, cache), 0o644);
    await (await startPostgres(folder)).close();
    expect(listReadable(folder)).toEqual([]);
  },
  60_000,
);
