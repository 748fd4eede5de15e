import { fsyncSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startPostgres } from '../../../../core/gateway/database/embedded/start-postgres.ts';
import { makeTemporaryFolder } from '../../../rig/temporary-folder.ts';
import { whenOver } from '../../../rig/when-over.ts';

it('a commit is on the disk before it is answered, and a read waits for no disk', async () => {
  let synced = 0;
  const database = await startPostgres(makeTemporaryFolder(), (descriptor) => {
    fsyncSync(descriptor);
    synced += 1;
  });
  whenOver(() => database.close());
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
  whenOver(() => second.close());
  expect((await second.query('select * from rows')).rows).toEqual([]);
}, 60_000);
