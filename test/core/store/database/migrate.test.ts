import { existsSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hashSpec } from '../../../../core/store/runs/create-run.ts';
import { SqliteDatabase } from '../../../../core/store/database/sqlite-database.ts';
import { migrate, type Migration, migrations } from '../../../../core/store/database/migrate.ts';
import { openStore } from '../../../../core/store/open-store.ts';
import { makeDatabasePath, thrownBy } from '../store-harness.ts';

const first: Migration = { version: 1, sql: 'CREATE TABLE thing (name TEXT) STRICT' };
const second: Migration = {
  version: 2,
  sql: 'ALTER TABLE thing ADD COLUMN size INTEGER; UPDATE thing SET size = 1',
};
const broken: Migration = { version: 3, sql: 'CREATE TABLE half (x); INSERT INTO nowhere VALUES (1)' };

/** A database as left by the release with only the first migration. */
function makeOldDatabase(): SqliteDatabase {
  const database = new SqliteDatabase(makeDatabasePath());
  database.configure();
  migrate(database, [first]);
  database.run("INSERT INTO thing (name) VALUES ('kept')");
  return database;
}

const listFiles = (database: SqliteDatabase): string[] =>
  readdirSync(dirname(database.file)).filter((name) => !/-(wal|shm)$/.test(name));

describe('list of migrations', () => {
  it('is numbered from 1 without gaps', () => {
    expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, index) => index + 1));
  });
});

describe('a database of the first release', () => {
  it('keeps its runs, which had no base configuration', async () => {
    const file = makeDatabasePath();
    const old = new SqliteDatabase(file);
    old.configure();
    migrate(old, migrations.slice(0, 1));
    old.execute(`
      INSERT INTO spec (key, sha256, text) VALUES (7, '${hashSpec('steps: [a]')}', 'steps: [a]');
      INSERT INTO run (dag, run_id, status, trigger, created_at, finished_at, spec_key, spec_document, is_sub, params)
      VALUES ('etl', 'first', 'failed', 'cli', 1, 2, 7, 0, 0, '[]')`);
    old.close();
    const store = openStore({ file });
    const run = { name: 'etl', dagRunId: 'first' };
    expect(store.getDetail(run)?.spec).toMatchObject({ text: 'steps: [a]', document: 0 });
    expect(await store.purgeRuns('etl', { before: 3 })).toEqual([{ ...run, logDir: '' }]);
    store.close();
  });
});

describe('a database from before hosts were stored', () => {
  it('lists the hosts of active runs', async () => {
    const file = makeDatabasePath();
    const old = new SqliteDatabase(file);
    old.configure();
    migrate(old, migrations.slice(0, 4));
    const owned = "'running', 'cli', 5, 7, 0, 0, '[]', 'box', 12, '3', 'boot'";
    old.execute(`
      INSERT INTO spec (key, sha256, text) VALUES (7, '${hashSpec('steps: [a]')}', 'steps: [a]');
      INSERT INTO run (run_id, dag, status, trigger, created_at, spec_key, spec_document, is_sub, params, owner_host,
        owner_pid, owner_pid_start, owner_boot_id)
      VALUES ('one', 'etl', ${owned}), ('two', 'etl', ${owned})`);
    old.close();
    const store = openStore({ file });
    const owner = { host: 'box', pid: 12, pidStart: '3', bootId: 'boot' };
    const [host, ...others] = await store.listDrivingHosts();
    expect(others).toEqual([]);
    expect(host).toMatchObject({ kind: 'cli', owner, startedAt: 5 });
    expect((await store.listOrphanedRuns(host!.key)).map(({ dagRunId }) => dagRunId)).toEqual(['one', 'two']);
    store.close();
  });
});

describe('migrate', () => {
  it('applies missing migrations and leaves a backup', () => {
    const database = makeOldDatabase();
    migrate(database, [first, second]);
    expect(database.all('SELECT * FROM thing')).toEqual([{ name: 'kept', size: 1 }]);
    expect(database.pragma('user_version')).toBe(2);
    expect(listFiles(database)).toEqual(['engine.db', 'engine.db.schema-1.bak']);
    const copy = new SqliteDatabase(`${database.file}.schema-1.bak`);
    expect(copy.all('SELECT * FROM thing')).toEqual([{ name: 'kept' }]);
    expect(copy.pragma('user_version')).toBe(1);
    copy.close();
    database.close();
  });

  it('changes nothing when a migration fails', () => {
    const database = makeOldDatabase();
    expect(() => migrate(database, [first, second, broken])).toThrow('nowhere');
    expect(database.all('SELECT * FROM thing')).toEqual([{ name: 'kept' }]);
    expect(database.all("SELECT name FROM sqlite_schema WHERE name = 'half'")).toEqual([]);
    expect(database.pragma('user_version')).toBe(1);
    migrate(database, [first, second]);
    expect(database.pragma('user_version')).toBe(2);
    database.close();
  });

  it('does nothing, and backs up nothing, when everything is up to date', () => {
    const database = makeOldDatabase();
    migrate(database, [first]);
    expect(listFiles(database)).toEqual(['engine.db']);
    database.close();
  });

  it('backs up nothing for a new database', () => {
    const database = new SqliteDatabase(makeDatabasePath());
    migrate(database, [first, second]);
    expect(existsSync(`${database.file}.schema-0.bak`)).toBe(false);
    database.close();
  });

  it('rejects a database of a newer release and leaves it unchanged', async () => {
    const database = makeOldDatabase();
    migrate(database, [first, second]);
    const error = await thrownBy(() => migrate(database, [first]));
    expect(error).toMatchObject({ code: 'database_newer', details: { found: 2, known: 1 } });
    expect(database.all('SELECT * FROM thing')).toEqual([{ name: 'kept', size: 1 }]);
    database.close();
  });
});

describe('a database of 0.1.0', () => {
  it('has its events under their current names', async () => {
    const file = makeDatabasePath();
    const old = new SqliteDatabase(file);
    old.configure();
    migrate(old, migrations.slice(0, 21));
    old.execute(`
      INSERT INTO spec (key, sha256, text) VALUES (7, '${hashSpec('steps: [a]')}', 'steps: [a]');
      INSERT INTO run (dag, run_id, status, trigger, created_at, spec_key, spec_document, is_sub, params)
      VALUES ('etl', 'first', 'running', 'cli', 1, 7, 0, 0, '[]');
      INSERT INTO event (run_key, at, type, data)
      SELECT key, 2, 'run.note', '{"level":"info","message":"a note"}' FROM run UNION ALL
      SELECT key, 3, 'run.started', '{"logDir":"logs"}' FROM run`);
    old.close();
    const store = openStore({ file });
    expect((await store.listEvents(0, 10)).map(({ event }) => event)).toEqual([
      { type: 'run.message', level: 'info', message: 'a note' },
      { type: 'run.started', logDir: 'logs' },
    ]);
    store.close();
  });
});
