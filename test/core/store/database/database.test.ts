import { statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SqliteDatabase } from '../../../../core/store/database/sqlite-database.ts';
import { leaveRuns } from '../../../../core/store/hosts.ts';
import { createStore, openDatabase, withStoreErrors } from '../../../../core/store/open-store.ts';
import {
  createOwnedRun,
  describeRun,
  makeDatabasePath,
  openMemoryDatabase,
  owner,
} from '../store-harness.ts';
import { waitUntilPasses } from '../../../harness/resources.ts';

/** Two connections to one new file, neither of which waits for the other. */
function openTwice(): [SqliteDatabase, SqliteDatabase] {
  const file = makeDatabasePath();
  const pair: [SqliteDatabase, SqliteDatabase] = [openDatabase(file), openDatabase(file)];
  for (const database of pair) database.execute('PRAGMA busy_timeout = 0');
  return pair;
}

const countSpecs = (database: SqliteDatabase): number => database.all('SELECT key FROM spec').length;
const addSpec = (database: SqliteDatabase, text: string): void =>
  void database.run('INSERT INTO spec (sha256, text) VALUES (?, ?)', text, text);

describe('connection', () => {
  it('syncs every commit to disk, checks references and limits its log', () => {
    const database = openDatabase(makeDatabasePath());
    expect(database.get('PRAGMA journal_mode')).toEqual({ journal_mode: 'wal' });
    expect(database.pragma('synchronous')).toBe(2);
    expect(database.pragma('foreign_keys')).toBe(1);
    expect(database.pragma('busy_timeout')).toBe(5000);
    expect(database.pragma('journal_size_limit')).toBe(8 * 1024 * 1024);
    database.close();
  });
});

describe('a new file opened by two processes at once', () => {
  it('is retried while the other one switches it to write-ahead logging', () => {
    const file = makeDatabasePath();
    const first = new SqliteDatabase(file);
    first.execute('CREATE TABLE any (value); BEGIN IMMEDIATE');
    let pauses = 0;
    const second = new SqliteDatabase(file, () => {
      pauses += 1;
      first.execute('ROLLBACK');
    });
    second.configure();
    expect(pauses).toBe(1);
    expect(second.get('PRAGMA journal_mode')).toEqual({ journal_mode: 'wal' });
    first.close();
    second.close();
  });
});

describe('write transaction', () => {
  it('is rolled back when it throws', () => {
    const database = openMemoryDatabase();
    const attempt = (): void =>
      database.write(() => {
        addSpec(database, 'a');
        throw new Error('no');
      });
    expect(attempt).toThrow('no');
    expect(countSpecs(database)).toBe(0);
    database.write(() => addSpec(database, 'b'));
    expect(countSpecs(database)).toBe(1);
  });

  it('keeps the rest when a part of it is rolled back', () => {
    const database = openMemoryDatabase();
    database.write(() => {
      addSpec(database, 'a');
      const part = (): void =>
        database.savepoint(() => {
          addSpec(database, 'b');
          throw new Error('no');
        });
      expect(part).toThrow('no');
      database.savepoint(() => addSpec(database, 'c'));
    });
    expect(database.all('SELECT text FROM spec')).toEqual([{ text: 'a' }, { text: 'c' }]);
  });

  it('excludes others from its start, before it has written anything', async () => {
    const [first, second] = openTwice();
    const store = createStore(second);
    const hosts = withStoreErrors({ leaveRuns }, second);
    const listed = first.write(() => {
      expect(() => hosts.leaveRuns(second, owner, 1)).toThrow(
        expect.objectContaining({ code: 'unavailable' }),
      );
      return store.listRuns({ limit: 1 });
    });
    expect(await listed).toEqual([]);
    expect((await store.createRun(describeRun(), 1)).key).toBe(1);
    first.close();
    second.close();
  });
});

describe('read transaction', () => {
  it('sees one snapshot, whatever is committed meanwhile', () => {
    const [first, second] = openTwice();
    first.read(() => {
      const before = countSpecs(first);
      addSpec(second, 'a');
      expect(countSpecs(first)).toBe(before);
    });
    expect(countSpecs(first)).toBe(1);
    first.close();
    second.close();
  });
});

describe('schema', () => {
  it('deletes a run with everything that belongs to it', async () => {
    const database = openMemoryDatabase();
    const store = createStore(database);
    const { run, write } = await createOwnedRun(store);
    const node = { section: 'step', name: 'call' } as const;
    await write([
      { type: 'run.started', logDir: 'l' },
      { type: 'step.started', node, attempt: 1, dir: 'd' },
      { type: 'step.sub_run', node, name: 'child', dagRunId: '1' },
    ]);
    await store.createRun(describeRun({ name: 'child', parent: { ...run, step: 'call' }, root: run }), 1);
    database.run('DELETE FROM run WHERE key = ?', run.key);
    for (const table of ['run', 'step', 'attempt', 'sub_run', 'event']) {
      expect(database.all(`SELECT * FROM ${table}`)).toEqual([]);
    }
    expect((await store.createRun(describeRun(), 1)).key).toBe(3);
  });
});

describe('large transaction', () => {
  it('is checkpointed in a later tick of the event loop', async () => {
    const file = makeDatabasePath();
    const database = openDatabase(file);
    database.execute('CREATE TABLE t (text TEXT)');
    const text = 'ä'.repeat(5_000_000);
    const sizeBefore = statSync(file).size;
    database.write(() => {
      database.run('INSERT INTO t VALUES (CAST(? AS TEXT))', database.largeText(text, Buffer.from(text)));
    }, true);
    // A small one does not checkpoint it either.
    database.write(() => database.run("INSERT INTO t VALUES ('b')"));
    expect(statSync(file).size).toBe(sizeBefore);
    await waitUntilPasses(() => expect(statSync(file).size).toBeGreaterThan(text.length));
    expect(database.all('SELECT length(text) AS length, typeof(text) AS type FROM t')).toEqual([
      { length: text.length, type: 'text' },
      { length: 1, type: 'text' },
    ]);
  });
});
