import { expect, it, onTestFinished } from 'vitest';
import { overrideTimings } from '../../../../core/base/timings.ts';
import { createStore } from '../../../../core/store/open-store.ts';
import type { PostgresDatabase } from '../../../../core/store/postgres/postgres-database.ts';
import { until, waitUntilPasses } from '../../../harness/resources.ts';
import { createOwnedRun, describeRun, owner, thrownBy } from '../store-harness.ts';
import { describeOnServers, newSchemaUrl, openForTest } from '../../../harness/databases.ts';

const insertSql = 'INSERT INTO spec (sha256, text) VALUES (?, ?)';

const listTexts = async (database: PostgresDatabase): Promise<string[]> => {
  const sql = 'SELECT text FROM spec ORDER BY key';
  return (await database.perform(() => database.all<{ text: string }>(sql))).map(({ text }) => text);
};

describeOnServers('database on a server', (server) => {
  it('returns values as SQLite does', async () => {
    const database = openForTest(newSchemaUrl(server()));
    const bytes = Uint8Array.from([0, 255, 10]);
    const row = await database.perform(() =>
      database.get(
        'SELECT CAST(? AS BIGINT) AS big, CAST(? AS double precision) AS part, ? = 2 AS yes, ? > 3 AS no, CAST(? AS bytea) AS bytes, CAST(? AS text) AS text, NULL AS nothing',
        2 ** 53 - 1,
        0.1,
        2,
        3,
        bytes,
        'a\0\uE000b',
      ),
    );
    expect(row).toEqual({
      big: 2 ** 53 - 1,
      part: 0.1,
      yes: 1,
      no: 0,
      bytes,
      text: 'a\0\uE000b',
      nothing: null,
    });
  });

  it('stores the output of a run that contains NUL', async () => {
    const store = createStore(openForTest(newSchemaUrl(server())));
    const { run, write } = await createOwnedRun(store);
    const outputs = { text: 'a\0b' };
    const error = 'it said \0 and died';
    await write([
      { type: 'run.started', logDir: 'logs' },
      { type: 'run.finished', status: 'failed', error, outputs },
    ]);
    expect(await store.findRun(run)).toMatchObject({ error, outputs });
    expect((await store.listEvents(0, 10, run)).at(-1)!.event).toMatchObject({ error, outputs });
  });

  it('rolls back a transaction that throws, and parts of one alone', async () => {
    const database = openForTest(newSchemaUrl(server()));
    const add = (text: string): number => database.run(insertSql, text, text).key;
    const fail = (): never => {
      throw new Error('no');
    };
    const failing = database.perform(() => database.write(() => [add('a'), fail()]));
    await expect(failing).rejects.toThrow('no');
    await database.perform(() =>
      database.write(() => {
        add('b');
        expect(() => database.savepoint(() => [add('c'), fail()])).toThrow('no');
        expect(() => database.savepoint(() => add('b'))).toThrow(/duplicate key/);
        expect(() => database.savepoint(fail)).toThrow('no');
        database.savepoint(() => add('d'));
      }),
    );
    expect(await listTexts(database)).toEqual(['b', 'd']);
    await database.perform(() => database.write(() => undefined));
  });

  it('rolls back a transaction in which the failure of a statement was ignored', async () => {
    const database = openForTest(newSchemaUrl(server()));
    const careless = database.perform(() =>
      database.write(() => {
        database.run(insertSql, 'a', 'a');
        const again = database.run(insertSql, 'a', 'a');
        expect(() => again.changes).toThrow(/dup/);
      }),
    );
    await expect(careless).rejects.toThrow(/duplicate key/);
    expect(await listTexts(database)).toEqual([]);
  });

  it('fails as a whole when a statement whose result is not read fails', async () => {
    const database = openForTest(newSchemaUrl(server()));
    const add = (text: string) => database.run(insertSql, text, text);
    const twice = database.perform(() => database.write(() => void [add('a'), add('a')]));
    await expect(twice).rejects.toThrow(/duplicate key/);
    const careless = database.perform(() =>
      database.write(() => {
        database.savepoint(() => [add('a'), add('a')]);
        expect(() => database.savepoint(() => add('b').key)).toThrow(/duplicate key/);
        expect(() => database.get('SELECT 1 AS one')).toThrow(/duplicate key/);
      }),
    );
    await expect(careless).rejects.toThrow(/duplicate key/);
    expect(await listTexts(database)).toEqual([]);
    await database.perform(() => database.write(() => void add('a')));
    expect(await listTexts(database)).toEqual(['a']);
  });

  it('rejects a change in a read transaction', async () => {
    const database = openForTest(newSchemaUrl(server()));
    const writing = database.perform(() => database.read(() => void database.run('DELETE FROM spec')));
    await expect(writing).rejects.toThrow(/read-only/);
  });

  it('receives commits of others, and distinguishes its own', async () => {
    const url = newSchemaUrl(server());
    const [here, there] = [createStore(openForTest(url)), createStore(openForTest(url))];
    await there.ready();
    await until(() => here.dataVersion() > 0);
    const before = here.dataVersion();
    const mark = here.commitRevision();
    await here.createRun(describeRun(), 1);
    expect(here.commitRevision()).not.toBe(mark);
    await there.createRun(describeRun(), 1);
    await until(() => here.dataVersion() !== before);
    // The notification of its own commit is earlier, on the same connection.
    expect(here.dataVersion()).toBe(before + 1);
    await there.listRuns({ limit: 1 });
    await there.append([]);
    await there.createRun(describeRun(), 1);
    await until(() => here.dataVersion() > before + 1);
    expect(here.dataVersion()).toBe(before + 2);
  });

  it('announces no heartbeats', async () => {
    const url = newSchemaUrl(server());
    const [here, there] = [createStore(openForTest(url)), createStore(openForTest(url))];
    const instance = { id: 'a', host: 'box', pid: 1, startedAt: 1, beatAt: 1, isActive: true };
    await here.ready();
    await until(() => there.dataVersion() > 0 && here.dataVersion() > 0);
    const before = there.dataVersion();
    await here.beat(owner, 1);
    await here.schedule.saveScheduler(instance);
    await here.createRun(describeRun(), 1);
    await until(() => there.dataVersion() >= before + 3);
    const revisions = [here.commitRevision(), there.commitRevision()];
    await here.beat(owner, 2);
    await here.schedule.saveScheduler({ ...instance, beatAt: 2 });
    expect(await there.schedule.listSchedulers()).toMatchObject([{ beatAt: 2 }]);
    expect([here.commitRevision(), there.commitRevision()]).toEqual(revisions);
    await here.schedule.saveScheduler({ ...instance, beatAt: 3, isActive: false });
    await until(() => there.commitRevision() !== revisions[1]);
  });

  it('serializes writers, and rejects one that has waited for too long', async () => {
    overrideTimings({ databaseLock: 400 });
    onTestFinished(() => overrideTimings({}));
    const url = newSchemaUrl(server());
    const [holder, other] = [openForTest(url), createStore(openForTest(url))];
    await other.ready();
    const holding = holder.perform(() =>
      holder.write(() => {
        holder.run(insertSql, 'a', 'a');
        holder.get('SELECT pg_sleep(1)');
      }),
    );
    await waitUntilPasses(() =>
      expect(other.leaveRuns(owner, 1)).rejects.toMatchObject({
        code: 'unavailable',
        details: { sqlstate: '55P03' },
        message: expect.stringMatching(
          /database .* was locked by another process for too long\. Try again\./,
        ) as string,
      }),
    );
    expect(await other.listRuns({ limit: 10 })).toEqual([]);
    await holding;
    await other.createRun(describeRun(), 1);
    expect(await other.listRuns({ limit: 10 })).toHaveLength(1);
  });

  it('is named without its password', () => {
    const url = new URL(newSchemaUrl(server()));
    url.password = 'a-secret';
    const { name } = createStore(openForTest(url.href));
    expect(name).toContain(url.port);
    expect(name).not.toContain('a-secret');
  });

  it('reports its size, and errors once there are any', async () => {
    const database = openForTest(newSchemaUrl(server()));
    const store = createStore(database);
    const run = await store.createRun(describeRun(), 1);
    expect(await store.storage()).toMatchObject({
      ...{ runs: 1, freeBytes: 0, kind: 'postgres' },
      release: expect.stringMatching(/^1\d\.\d+$/) as string,
      connectedAt: expect.any(Number) as number,
    });
    await store.ping();
    expect((await store.storage()).bytes).toBeGreaterThan(100_000);
    expect(await store.check()).toEqual([]);
    await database.perform(() => database.run("UPDATE spec SET text = 'other'"));
    expect(await store.check()).toEqual([expect.stringMatching(/checksum mismatch in stored workflow \d+/)]);
    expect(await thrownBy(() => store.getDetail(run))).toMatchObject({
      code: 'database_corrupt',
      message: expect.stringContaining('restore a backup with the PostgreSQL tools') as string,
    });
  });
});
