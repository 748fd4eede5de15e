import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { homePaths } from '../../../../core/home/config/home.ts';
import { copyHomeDatabase } from '../../../../core/store/maintenance/copy-database.ts';
import { writeBackup } from '../../../../core/store/maintenance/write-backup.ts';
import { restoreBackup } from '../../../../core/store/maintenance/restore-backup.ts';
import { openDispatch } from '../../../../core/distributed/store/open-dispatch.ts';
import type { Database } from '../../../../core/store/database/database.ts';
import { PostgresDatabase } from '../../../../core/store/postgres/postgres-database.ts';
import { openDatabase, openServerDatabase, openStore } from '../../../../core/store/open-store.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { missingForPostgres, postgresVersions, sharePostgres } from '../../../harness/servers/postgres.ts';
import { makeTemporaryFolder, oneByOne } from '../../../harness/resources.ts';
import { describeRun, owner } from '../store-harness.ts';

const now = Date.UTC(2026, 0, 1);
const clock = new FakeClock(now);

test('rejects copying a database onto itself, even an empty one', async () => {
  const file = path.join(makeTemporaryFolder(), 'engine.db');
  openStore({ file }).close();
  await expect(copyHomeDatabase({ file }, { file }, clock)).rejects.toMatchObject({
    code: 'bad_request',
    message: expect.stringContaining('onto itself'),
  });
});

/** A task that waits, another one that a worker has, and a token. */
async function addTasks(file: string): Promise<void> {
  const tasks = openDispatch({ file }, new FakeClock(now));
  const labels = { gpu: 'true', 'od"d': 'a\\b,{c}' };
  const task = {
    runKey: 1,
    run: { name: 'etl', dagRunId: 'x' },
    step: 's',
    priority: 0,
    payload: '{}',
    attemptDir: '/p',
  };
  await tasks.offer([
    { ...task, key: '1.step.s.1', selector: labels },
    { ...task, key: '1.step.s.2', selector: { never: 'there' } },
  ]);
  const { epoch } = await tasks.register({
    id: 'w',
    labels,
    slots: 1,
    version: '1',
    host: 'h',
    pid: 1,
    keeps: [],
  });
  await tasks.claim([{ id: 'w', epoch, free: 1 }]);
  await tasks.addJoinToken({ id: 't', sha256: 'ab', note: '', labels: {} });
  await tasks.close();
}
let schemas = 0;

/** URL of an unused schema. */
const freshUrl = (server: string): string => `${server}?schema=copied_${process.pid}_${(schemas += 1)}`;

/** A file with runs in several states, one of them purged, a schedule, a queue, an audit entry, and unusual strings. */
async function makeFile(): Promise<string> {
  const file = path.join(makeTemporaryFolder(), 'engine.db');
  const store = openStore({ file });
  for (let count = 0; count < 600; count += 1)
    await store.createRun(
      describeRun({ tags: ['nightly', `t${count % 7}`], params: [{ name: 'N', value: `${count} „ü" 😀` }] }),
      now,
    );
  const parent = await store.createRun(describeRun({ owner }), now);
  await store.createRun(
    describeRun({
      owner,
      name: 'sub',
      parent: { name: parent.name, dagRunId: parent.dagRunId, step: 'call' },
      root: { name: parent.name, dagRunId: parent.dagRunId },
    }),
    now,
  );
  const waiting = { priority: 3, maxActiveRuns: 1 };
  await store.createRun(describeRun({ waiting, queue: 'slow' }), now);
  await store.leaveRuns(owner, now);
  store.close();
  const database = openDatabase(file);
  await database.perform(() =>
    database.write(() => {
      database.run('DELETE FROM event WHERE id > (SELECT max(id) FROM event) - 2');
      database.run("UPDATE run SET error = 'a' || char(0) || 'b' WHERE key = 7");
    }),
  );
  database.close();
  await addTasks(file);
  return file;
}

/** Returns the definitions of all indexes and constraints, and closes the database. */
async function readSchema(database: Database): Promise<string[]> {
  const sql =
    database instanceof PostgresDatabase
      ? `SELECT indexdef AS sql FROM pg_indexes WHERE schemaname = current_schema() UNION ALL
         SELECT CAST(CAST(conrelid AS regclass) AS text) || conname || pg_get_constraintdef(oid) FROM pg_constraint
         WHERE connamespace = to_regnamespace(current_schema()) UNION ALL
         SELECT CAST(CAST(tgrelid AS regclass) AS text) || ' ' || tgname || CAST(tgenabled AS text) FROM pg_trigger
         WHERE NOT tgisinternal AND tgrelid IN (SELECT oid FROM pg_class WHERE relnamespace = to_regnamespace(current_schema()))`
      : 'SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL';
  const rows = (await database.perform(() => database.all<{ sql: string }>(sql))).map((row) => row.sql);
  database.close();
  return rows.toSorted();
}

for (const version of postgresVersions) {
  const missing = missingForPostgres(version);
  const lack = missing === undefined ? '' : ` (missing here: ${missing})`;
  describe.skipIf(missing !== undefined)(`copying a database, PostgreSQL ${version}${lack}`, () => {
    test('to a server and back keeps every row, and the sequences', async () => {
      const { url } = await sharePostgres(version);
      const file = await makeFile();
      const server = freshUrl(url);
      const there = await copyHomeDatabase({ file }, { url: server }, clock);
      const back = path.join(makeTemporaryFolder(), 'back.db');
      const again = await copyHomeDatabase({ url: server }, { file: back }, clock);
      expect(again.tables.map(({ name }) => name).toSorted()).toEqual(
        there.tables.map(({ name }) => name).toSorted(),
      );
      const byName = new Map(again.tables.map((table) => [table.name, table]));
      for (const table of there.tables) expect(byName.get(table.name)).toEqual(table);
      expect(byName.get('run')).toMatchObject({ rows: 603 });
      expect(byName.get('task')).toMatchObject({ rows: 2 });

      const [first, second] = [openStore({ file }), openStore({ url: server })];
      const next = await oneByOne([first, second], (each) =>
        each.createRun(describeRun({ dagRunId: 'next' }), now),
      );
      expect(next[1]!.key).toBe(next[0]!.key);
      expect(await second.lastEventId()).toBe(await first.lastEventId());
      expect(await second.findRun({ name: 'etl', dagRunId: 'next' })).toEqual(
        await first.findRun({ name: 'etl', dagRunId: 'next' }),
      );
      first.close();
      second.close();
    });

    test('leaves all indexes and constraints of the target as they were', async () => {
      const { url } = await sharePostgres(version);
      const [server, back] = [freshUrl(url), path.join(makeTemporaryFolder(), 'back.db')];
      const before = [await readSchema(openServerDatabase(server)), await readSchema(openDatabase(back))];
      await copyHomeDatabase({ file: await makeFile() }, { url: server }, clock);
      await copyHomeDatabase({ url: server }, { file: back }, clock);
      expect([await readSchema(openServerDatabase(server)), await readSchema(openDatabase(back))]).toEqual(
        before,
      );
      expect(before[0]!.length).toBeGreaterThan(100);
    });

    test('rejects a target that is not empty, and leaves it unchanged', async () => {
      const { url } = await sharePostgres(version);
      const server = freshUrl(url);
      const store = openStore({ url: server });
      await store.createRun(describeRun({ name: 'kept', dagRunId: 'kept' }), now);
      store.close();
      const file = await makeFile();
      await expect(copyHomeDatabase({ file }, { url: server }, clock)).rejects.toMatchObject({
        code: 'already_exists',
        message: expect.stringContaining(
          'is not empty (table spec has rows). Use another file, database or schema (?schema=…).',
        ),
      });
      const database = openServerDatabase(server);
      expect(await database.perform(() => database.all('SELECT dag FROM run'))).toEqual([{ dag: 'kept' }]);
      database.close();
    });

    test('is rejected while a host is alive', async () => {
      const { url } = await sharePostgres(version);
      const server = freshUrl(url);
      const store = openStore({ url: server });
      await store.beat({ ...owner, id: 'host', kind: 'server' }, now);
      store.close();
      const file = path.join(makeTemporaryFolder(), 'new.db');
      await expect(
        copyHomeDatabase({ url: server }, { file }, new FakeClock(now + 1000)),
      ).rejects.toMatchObject({
        code: 'still_running',
      });
      const later = new FakeClock(now + 61_000);
      expect((await copyHomeDatabase({ url: server }, { file }, later)).tables).not.toEqual([]);
    });

    test('is part of a backup of a home on a server, which is restored as a file', async () => {
      const { url } = await sharePostgres(version);
      const server = freshUrl(url);
      await copyHomeDatabase({ file: await makeFile() }, { url: server }, clock);
      const home = makeTemporaryFolder();
      const paths = homePaths(home, { databaseUrl: server });
      const { file } = await writeBackup({
        paths,
        target: makeTemporaryFolder(),
        logs: false,
        version: '1',
        clock,
      });
      const restored = path.join(makeTemporaryFolder(), 'home');
      await restoreBackup({ backup: file, home: restored, force: false, clock });
      const database = openDatabase(homePaths(restored).database);
      expect(await database.perform(() => database.get('SELECT count(*) AS count FROM run'))).toEqual({
        count: 603,
      });
      database.close();
    });
  });
}
