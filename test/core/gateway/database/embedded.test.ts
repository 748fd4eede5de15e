import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { DatabaseError, DatabaseUnavailable } from '../../../../core/store/sql/database.ts';
import { EmbeddedDatabase } from '../../../../core/gateway/database/embedded-database.ts';
import { engineLostError } from '../../../../core/gateway/database/embedded-engine.ts';
import { readBatch } from '../../../../core/gateway/database/batch.ts';
import { systemClock } from '../../../../core/base/system-clock.ts';
import { FakeClock, silentLogger } from '../../../harness/fakes.ts';
import {
  makeTemporaryFolder,
  until,
  waitUntilPasses,
  createOnce,
  onTestCleanup,
} from '../../../harness/resources.ts';

const limits = { poolTimeoutMs: 10_000, statementTimeoutMs: 10_000 };

function open(folder: string, changes: Partial<typeof limits> = {}): EmbeddedDatabase {
  const database = new EmbeddedDatabase({ folder, ...limits, ...changes }, systemClock, silentLogger);
  onTestCleanup(() => database.close());
  return database;
}

const read = async (database: EmbeddedDatabase, text: string): Promise<(string | null)[][]> => {
  const [result] = await database.transact({ isReadOnly: true, statements: [{ text, values: [] }] });
  return result!.rows.map((row) => [...row]);
};

async function openFirst(folder: string) {
  const first = open(folder);
  await read(first, 'select 1');
  return { folder, first };
}

describe('one data directory, several processes', () => {
  const shared = createOnce(() => openFirst(makeTemporaryFolder()));
  let first: EmbeddedDatabase;
  let second: EmbeddedDatabase;

  beforeEach(() => {
    first = shared().first;
    second = open(shared().folder);
  });

  it('the second one shares the database of the first', async () => {
    await first.runScript('create table if not exists shared (id int primary key); truncate shared');
    const [inserted] = await second.transact({
      isReadOnly: false,
      statements: [{ text: 'insert into shared values ($1) returning id', values: ['9'] }],
    });
    expect(inserted).toMatchObject({ columns: ['id'], rows: [['9']], affected: 1 });
    expect(await read(first, 'select id from shared')).toEqual([['9']]);
    expect(second.status()).toMatchObject({ state: 'open', version: first.status().version });
  });

  it('reports the same errors', async () => {
    const error = await read(second, 'select nothing').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DatabaseError);
    expect(error).toMatchObject({ code: '42703', position: 8 });
  });

  it('is asked before a commit, and its rejection undoes everything', async () => {
    await first.runScript('create table if not exists decided (id int); truncate decided');
    const insert = (keeps: () => boolean) =>
      second.transact({
        isReadOnly: false,
        statements: [{ text: 'insert into decided values (1) returning id', values: [] }],
        keeps,
      });
    expect((await insert(() => false))[0]!.rows).toEqual([['1']]);
    const error = new Error('no');
    await expect(
      insert(() => {
        throw error;
      }),
    ).rejects.toBe(error);
    expect(await read(first, 'select count(*) from decided')).toEqual([['0']]);
    await insert(() => true);
    expect(await read(first, 'select count(*) from decided')).toEqual([['1']]);
  });

  it('both receive notifications from any sender', async () => {
    const heard: string[] = [];
    await first.listen('news', (payload) => heard.push(`first ${payload}`));
    await second.listen('news', (payload) => heard.push(`second ${payload}`));
    await second.runScript(`notify news, 'a'`);
    await until(() => heard.length === 2);
    expect(heard.toSorted()).toEqual(['first a', 'second a']);
  });

  it('cancels its queries when it exits', async () => {
    const endless = second.runScript('select count(*) from generate_series(1, 100000000000) n');
    const settled = endless.catch((reason: unknown) => reason);
    await new Promise((resolve) => systemClock.after(200, () => resolve(undefined)));
    await second.close();
    expect(await settled).toMatchObject({ reason: 'lost' });
    expect(await read(first, 'select 1')).toEqual([['1']]);
  });

  it('admits only processes that can read the token file', async () => {
    const { port } = JSON.parse(readFileSync(join(shared().folder, 'holder.json'), 'utf8')) as {
      port: number;
    };
    expect(statSync(join(shared().folder, 'holder.json')).mode & 0o077).toBe(0);
    for (const greeting of ['{"token":"guess"}\n', 'x'.repeat(600), '[]\n', 'null\n']) {
      const socket = connect(port, '127.0.0.1');
      let said = '';
      socket.on('data', (bytes: Buffer) => (said += bytes.toString()));
      socket.on('error', () => undefined);
      socket.write(greeting);
      await new Promise((resolve) => socket.once('close', resolve));
      expect(said).toBe('');
    }
    expect(await read(second, 'select 1')).toEqual([['1']]);
  });
});

describe('a process that has the database open and closes it', () => {
  it('is succeeded by another one, which keeps listening', async () => {
    const { folder, first } = await openFirst(makeTemporaryFolder());
    const second = open(folder);
    const heard: (string | undefined)[] = [];
    await first.runScript('create table kept (id int); insert into kept values (3)');
    await second.listen('handed', (payload) => heard.push(payload));
    await first.close();
    await until(() => heard.length === 1);
    expect(heard).toEqual([undefined]);
    expect(await read(second, 'select id from kept')).toEqual([['3']]);
    await second.runScript(`notify handed, 'b'`);
    await until(() => heard.length === 2);
    expect(heard[1]).toBe('b');
  });

  it('finishes earlier requests', async () => {
    const { folder, first } = await openFirst(makeTemporaryFolder());
    const second = open(folder);
    await first.runScript('create table last (id int)');
    const write = second.transact({
      isReadOnly: false,
      statements: [{ text: 'insert into last select 1 from pg_sleep(0.1)', values: [] }],
    });
    await read(second, 'select 1').catch(() => undefined);
    await first.close();
    await write;
    expect(await read(second, 'select id from last')).toEqual([['1']]);
  });
});

it('keeps committed data when a statement timeout ends the engine', async () => {
  const database = open(makeTemporaryFolder());
  await database.runScript('create table rows (id int); insert into rows values (1)');
  const heard: (string | undefined)[] = [];
  await database.listen('news', (payload) => heard.push(payload));
  const endless = database.transact({
    isReadOnly: false,
    statements: [
      { text: 'insert into rows values (2)', values: [] },
      { text: 'select count(*) from generate_series(1, 100000000000) n', values: [] },
    ],
    timeoutMs: 200,
  });
  await expect(endless).rejects.toMatchObject({ code: '57014' });
  expect(await read(database, 'select id from rows')).toEqual([['1']]);
  expect(heard).toEqual([undefined]);
  await database.runScript(`notify news, 'after'`);
  await until(() => heard.length === 2);
});

it('leaves no temporary files of a cancelled statement', async () => {
  const folder = makeTemporaryFolder();
  const database = open(folder);
  await read(database, 'select 1');
  const place = join(folder, 'pgdata/base/pgsql_tmp');
  const stop = new AbortController();
  const text =
    'select count(*) from (select md5(g::text) from generate_series(1, 100000000) g order by 1) sorted';
  const large = database.transact({
    isReadOnly: true,
    statements: [{ text, values: [] }],
    signal: stop.signal,
  });
  const ended = large.catch((error: unknown) => error);
  await until(() => existsSync(place));
  stop.abort();
  expect(await ended).toMatchObject({ code: '57014' });
  expect(existsSync(place)).toBe(true);
  await read(database, 'select 1');
  expect(existsSync(place)).toBe(false);
});

it('reports busy to those who wait too long', async () => {
  const database = open(makeTemporaryFolder(), { poolTimeoutMs: 100 });
  await read(database, 'select 1');
  const long = database.transact({
    isReadOnly: true,
    statements: [{ text: 'select pg_sleep(60)', values: [] }],
    timeoutMs: 500,
  });
  const waiting = await read(database, 'select 1').catch((reason: unknown) => reason);
  expect(waiting).toBeInstanceOf(DatabaseUnavailable);
  expect(waiting).toMatchObject({ reason: 'busy' });
  await expect(long).rejects.toMatchObject({ code: '57014' });
});

it('says why it cannot be opened, and opens when that has changed', async () => {
  const folder = makeTemporaryFolder();
  const broken = open(join(folder, 'config.txt'));
  writeFileSync(join(folder, 'config.txt'), 'a file');
  await expect(read(broken, 'select 1')).rejects.toThrow(/EEXIST/);
  expect(broken.status()).toMatchObject({ state: 'failed', kind: 'embedded' });
  rmSync(join(folder, 'config.txt'));
  expect(await read(broken, 'select 1')).toEqual([['1']]);
  expect(broken.status()).toMatchObject({ state: 'open' });
});

it('opens nothing before its first use, and nothing after it was closed', async () => {
  const folder = makeTemporaryFolder();
  const database = open(folder);
  expect(database.status()).toEqual({
    kind: 'embedded',
    state: 'closed',
    version: undefined,
    place: folder,
    failure: undefined,
  });
  await database.close();
  await expect(read(database, 'select 1')).rejects.toMatchObject({ reason: 'closed' });
});

it('is vacuumed while it is open, as by autovacuum', async () => {
  const clock = new FakeClock();
  const database = new EmbeddedDatabase({ folder: makeTemporaryFolder(), ...limits }, clock, silentLogger);
  onTestCleanup(() => database.close());
  await database.runScript(`create table rows (id int); insert into rows select generate_series(1, 2000);
    select pg_stat_force_next_flush()`);
  clock.advance(10_000);
  await waitUntilPasses(async () => {
    const facts = await read(database, 'select last_vacuum is not null from pg_stat_user_tables');
    expect(facts).toEqual([['t']]);
  });
}, 60_000);

it('is unchanged when a restore was killed before it had moved anything into place', async () => {
  const folder = makeTemporaryFolder();
  const before = new EmbeddedDatabase({ folder, ...limits }, systemClock, silentLogger);
  await before.runScript('create table rows (id int); insert into rows values (1)');
  await before.close();
  renameSync(join(folder, 'pgdata'), join(folder, 'pgdata.before-restore-20260101T000000Z'));
  mkdirSync(join(folder, 'pgdata.restoring-1'));
  expect(await read(open(folder), 'select id from rows')).toEqual([['1']]);
  expect(readdirSync(folder).filter((name) => name.includes('restor'))).toEqual([]);
}, 60_000);

describe('a new database', () => {
  const facts = `select pg_encoding_to_char(encoding), datcollate, datctype, datlocprovider, current_user,
    current_setting('server_version_num')::int / 10000, current_setting('shared_buffers'), current_setting('fsync'), current_setting('wal_sync_method'),
    (select system_identifier from pg_control_system())
    from pg_database where datname = current_database()`;

  it('is copied from the prepared template, also after a start that was killed while copying', async () => {
    const folder = makeTemporaryFolder();
    mkdirSync(join(folder, 'pgdata.new'));
    writeFileSync(join(folder, 'pgdata.new/PG_VERSION'), '18\n');
    const database = open(folder);
    const known = await read(database, facts);
    expect(known[0]!.slice(0, -1)).toEqual([
      ...['UTF8', 'C', 'C.UTF-8', 'c', 'postgres', '18', '32MB'],
      // With PGlite's own settings a power failure would lose a commit.
      ...['on', 'fsync'],
    ]);
    await database.close();
    expect(readdirSync(folder)).toEqual(['lock', 'pgdata']);
    expect(statSync(join(folder, 'pgdata')).mode & 0o077).toBe(0);
    expect(await read(open(makeTemporaryFolder()), facts)).toEqual(known);
  });

  it('is not created among unrelated files', async () => {
    const folder = makeTemporaryFolder();
    mkdirSync(join(folder, 'pgdata'));
    writeFileSync(join(folder, 'pgdata/notes.txt'), 'mine');
    await expect(read(open(folder), 'select 1')).rejects.toThrow(
      /contains files but no PG_VERSION, so it is not a database\. Move the folder/,
    );
    expect(readdirSync(join(folder, 'pgdata'))).toEqual(['notes.txt']);
  });
});

describe('detects a broken engine', () => {
  const batch = { begin: 'BEGIN', statements: [{ text: 'select 1', values: [] }], end: 'COMMIT' };
  const ready = { name: 'readyForQuery' };
  const done = (text: string) => ({ name: 'commandComplete', text });

  it.each([
    ['no response at all', []],
    ['an incomplete response', [done('BEGIN'), ready, ready, done('COMMIT'), ready]],
    ['a missing response', [done('BEGIN'), ready, done('SELECT 1'), ready]],
    [
      'a full error stack',
      [
        done('BEGIN'),
        ready,
        { name: 'error', code: 'XX000', message: 'ERRORDATA_STACK_SIZE exceeded' },
        ready,
      ],
    ],
  ])('%s', (_, messages) => {
    expect(readBatch(batch, messages)).toMatchObject({ kind: 'broken' });
  });

  it('but accepts a statement that returns no rows, or is empty', () => {
    const empty = [done('BEGIN'), ready, { name: 'emptyQuery' }, ready, done('COMMIT'), ready];
    expect(readBatch(batch, empty)).toEqual({
      kind: 'done',
      results: [{ columns: [], typeIds: [], rows: [], affected: 0 }],
    });
  });
});

it('a statement that crashed the engine reports what happened to its writes', () => {
  const statements = [{ text: 'select 1', values: [] }];
  const fateOf = (begin?: string, end?: string): string =>
    engineLostError('gone', { begin, statements, end }).message.replace(/^.*gone\. /, '');
  expect(fateOf('BEGIN READ WRITE')).toBe('No changes were committed.');
  expect(fateOf('BEGIN READ ONLY', 'COMMIT')).toBe('No changes were committed.');
  const unknown = 'It is unknown whether changes were committed: check the data before you retry writes.';
  expect(fateOf('BEGIN READ WRITE', 'COMMIT')).toBe(unknown);
  // A script, or the commit alone.
  expect(fateOf()).toBe(unknown);
});
