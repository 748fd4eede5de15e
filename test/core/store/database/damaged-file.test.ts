import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SqliteDatabase } from '../../../../core/store/database/sqlite-database.ts';
import { migrations } from '../../../../core/store/database/migrate.ts';
import { openStore } from '../../../../core/store/open-store.ts';
import { createOwnedRun, describeRun, makeDatabasePath, thrownBy } from '../store-harness.ts';

/** A closed database with some history. */
async function makeDatabase(): Promise<string> {
  const file = makeDatabasePath();
  const store = openStore({ file });
  const text = 'x'.repeat(20_000);
  for (let count = 0; count < 20; count += 1) {
    await (
      await createOwnedRun(store, { spec: { text: `${text}${count}`, document: 0 } })
    ).write([{ type: 'run.started', logDir: 'l' }]);
  }
  store.close();
  return file;
}

const hashFile = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

function overwrite(file: string, position: number, bytes: Buffer): void {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, bytes, 0, bytes.length, position);
  closeSync(descriptor);
}

describe('leaves a rejected database file unchanged', () => {
  it.each([
    ['a damaged header', (file: string) => overwrite(file, 0, Buffer.alloc(16, 7)), 'database_corrupt'],
    ['another kind of file', (file: string) => writeFileSync(file, 'not a database\n'), 'database_corrupt'],
    ['a truncated file', (file: string) => truncateSync(file, 8192), 'database_corrupt'],
    ['a truncated header', (file: string) => truncateSync(file, 50), 'database_corrupt'],
    ['a log without its database', (file: string) => truncateBesideLog(file), 'database_corrupt'],
    ['a newer release', (file: string) => setNumber(file, 60, migrations.length + 1), 'database_newer'],
    ['another program', (file: string) => setNumber(file, 68, 0x1234), 'home_unusable'],
  ] as const)('%s', async (_, damage, code) => {
    const file = await makeDatabase();
    damage(file);
    const before = hashFile(file);
    const error = await thrownBy(() => openStore({ file }));
    expect(error.code).toBe(code);
    expect(error.message).toContain(file);
    expect(hashFile(file)).toBe(before);
  });
});

describe('a database that is rejected while another process has it open', () => {
  it('is of a newer release', async () => {
    const file = await makeDatabase();
    const later = migrations.length + 1;
    const other = new SqliteDatabase(file);
    other.configure();
    other.execute(`PRAGMA user_version = ${later}`);
    expect((await thrownBy(() => openStore({ file }))).code).toBe('database_newer');
    expect(other.pragma('user_version')).toBe(later);
    other.close();
  });
});

describe('a database of another program', () => {
  it('gets no tables of ours', async () => {
    const file = makeDatabasePath();
    const other = new SqliteDatabase(file);
    other.execute('CREATE TABLE theirs (x)');
    expect((await thrownBy(() => openStore({ file }))).code).toBe('home_unusable');
    expect(other.all('SELECT name FROM sqlite_schema')).toEqual([{ name: 'theirs' }]);
    other.close();
  });
});

describe('damage inside of the file', () => {
  it('is reported by the operation that encounters it', async () => {
    const file = await makeDatabase();
    const { size } = statSync(file);
    for (let position = 4096; position < size; position += 4096)
      overwrite(file, position, Buffer.alloc(200, 0xee));
    const error = await thrownBy(async () => {
      const store = openStore({ file });
      try {
        await store.listRuns({ limit: 10 });
      } finally {
        store.close();
      }
    });
    expect(error.code).toBe('database_corrupt');
    expect(error.message).toContain(file);
  });

  it('is noticed in a stored workflow, where SQLite detects nothing', async () => {
    const file = makeDatabasePath();
    const store = openStore({ file });
    const run = await store.createRun(describeRun({ spec: { text: 'name: etl', document: 0 } }), 1);
    const database = new SqliteDatabase(file);
    database.run("UPDATE spec SET text = 'name: etm'");
    expect(await thrownBy(() => store.getDetail(run))).toMatchObject({ code: 'database_corrupt' });
    database.run("UPDATE run SET params = '[{'");
    expect(await thrownBy(() => store.findRun(run))).toMatchObject({ code: 'database_corrupt' });
    database.close();
    store.close();
  });
});

describe('a corrupted base configuration', () => {
  it('is noticed as well', async () => {
    const file = makeDatabasePath();
    const store = openStore({ file });
    const run = await store.createRun(describeRun({ spec: { text: 'a', base: 'env: {}', document: 0 } }), 1);
    const database = new SqliteDatabase(file);
    database.run("UPDATE spec SET text = 'env: []' WHERE text = 'env: {}'");
    expect(await thrownBy(() => store.getDetail(run))).toMatchObject({ code: 'database_corrupt' });
    database.close();
    store.close();
  });
});

describe('a new database', () => {
  it('can be read by its owner only', async () => {
    const file = makeDatabasePath();
    const store = openStore({ file });
    await store.createRun(describeRun(), 1);
    for (const suffix of ['', '-wal', '-shm']) expect(statSync(file + suffix).mode & 0o777).toBe(0o600);
    store.close();
  });

  it('replaces an empty file, as left by a crash before the first write', async () => {
    const file = makeDatabasePath();
    writeFileSync(file, '');
    chmodSync(file, 0o600);
    const store = openStore({ file });
    expect((await store.createRun(describeRun(), 1)).key).toBe(1);
    store.close();
  });
});

function setNumber(file: string, position: number, value: number): void {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  overwrite(file, position, bytes);
}

function truncateBesideLog(file: string): void {
  truncateSync(file, 0);
  writeFileSync(`${file}-wal`, Buffer.alloc(5000, 1));
}
