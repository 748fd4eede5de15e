import { expect, it, onTestFinished } from 'vitest';
import { overrideTimings } from '../../../../core/base/timings.ts';
import { leaveRuns } from '../../../../core/store/hosts.ts';
import { createStore, withStoreErrors } from '../../../../core/store/open-store.ts';
import { until } from '../../../harness/resources.ts';
import { createOwnedRun, describeRun, owner, thrownBy } from '../store-harness.ts';
import { describeOnServers, newSchemaUrl, openForTest } from '../../../harness/databases.ts';

describeOnServers('database on a server', (server) => {
  it('returns values as SQLite does', () => {
    const database = openForTest(newSchemaUrl(server()));
    const bytes = Uint8Array.from([0, 255, 10]);
    const row = database.get(
      'SELECT CAST(? AS BIGINT) AS big, CAST(? AS double precision) AS part, ? = 2 AS yes, ? > 3 AS no, CAST(? AS bytea) AS bytes, CAST(? AS text) AS text, NULL AS nothing',
      2 ** 53 - 1,
      0.1,
      2,
      3,
      bytes,
      'a\0\uE000b',
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
    expect(store.findRun(run)).toMatchObject({ error, outputs });
    expect((await store.listEvents(0, 10, run)).at(-1)!.event).toMatchObject({ error, outputs });
  });

  it('rolls back a transaction that throws, and parts of one alone', () => {
    const database = openForTest(newSchemaUrl(server()));
    const add = (text: string): number =>
      database.run('INSERT INTO spec (sha256, text) VALUES (?, ?)', text, text).key;
    const fail = (): never => {
      throw new Error('no');
    };
    expect(() => database.write(() => [add('a'), fail()])).toThrow('no');
    database.write(() => {
      add('b');
      expect(() => database.savepoint(() => [add('c'), fail()])).toThrow('no');
      expect(() => database.savepoint(() => add('b'))).toThrow(/duplicate key/);
      expect(() => database.savepoint(fail)).toThrow('no');
      database.savepoint(() => add('d'));
    });
    expect(database.all('SELECT text FROM spec ORDER BY key')).toEqual([{ text: 'b' }, { text: 'd' }]);
    database.write(() => undefined);
  });

  it('rolls back a transaction in which the failure of a statement was ignored', () => {
    const database = openForTest(newSchemaUrl(server()));
    const careless = (): unknown =>
      database.write(() => {
        database.run('INSERT INTO spec (sha256, text) VALUES (?, ?)', 'a', 'a');
        const again = database.run('INSERT INTO spec (sha256, text) VALUES (?, ?)', 'a', 'a');
        expect(() => again.changes).toThrow(/dup/);
      });
    expect(careless).toThrow(/duplicate key/);
    expect(database.all('SELECT key FROM spec')).toEqual([]);
  });

  it('fails as a whole when a statement without await fails', () => {
    const database = openForTest(newSchemaUrl(server()));
    const add = (text: string) => database.run('INSERT INTO spec (sha256, text) VALUES (?, ?)', text, text);
    expect(() => database.write(() => [add('a'), add('a')])).toThrow(/duplicate key/);
    const careless = (): void =>
      database.write(() => {
        database.savepoint(() => [add('a'), add('a')]);
        expect(() => database.savepoint(() => add('b').key)).toThrow(/duplicate key/);
        expect(() => database.get('SELECT 1 AS one')).toThrow(/duplicate key/);
      });
    expect(careless).toThrow(/duplicate key/);
    expect(database.all('SELECT key FROM spec')).toEqual([]);
    database.write(() => add('a'));
    expect(database.all('SELECT text FROM spec')).toEqual([{ text: 'a' }]);
  });

  it('reads one snapshot, whatever is written meanwhile', () => {
    const url = newSchemaUrl(server());
    const [here, there] = [openForTest(url), openForTest(url)];
    here.read(() => {
      expect(here.all('SELECT key FROM spec')).toEqual([]);
      there.run('INSERT INTO spec (sha256, text) VALUES (?, ?)', 'a', 'a');
      expect(here.all('SELECT key FROM spec')).toEqual([]);
    });
    expect(() => here.read(() => here.run('DELETE FROM spec'))).toThrow(/read-only/);
    expect(here.all('SELECT key FROM spec')).toHaveLength(1);
  });

  it('receives commits of others, and distinguishes its own', async () => {
    const url = newSchemaUrl(server());
    const [here, there] = [createStore(openForTest(url)), createStore(openForTest(url))];
    there.lastEventId();
    const before = here.dataVersion();
    const mark = here.commitRevision();
    await here.createRun(describeRun(), 1);
    expect(here.commitRevision()).not.toBe(mark);
    // A later notification on the same connection implies that it was received.
    here.lastEventId();
    expect(here.dataVersion()).toBe(before);
    await there.createRun(describeRun(), 1);
    await until(() => here.dataVersion() !== before);
    const [afterwards, activity] = [here.dataVersion(), await here.maintenance.activity()];
    await there.listRuns({ limit: 1 });
    await there.append([]);
    here.lastEventId();
    expect(here.dataVersion()).toBe(afterwards);
    expect(await here.maintenance.activity()).toBe(activity);
  });

  it('announces no heartbeats', async () => {
    const url = newSchemaUrl(server());
    const [here, there] = [createStore(openForTest(url)), createStore(openForTest(url))];
    const instance = { id: 'a', host: 'box', pid: 1, startedAt: 1, beatAt: 1, isActive: true };
    there.lastEventId();
    await here.beat(owner, 1);
    await here.schedule.saveScheduler(instance);
    await here.createRun(describeRun(), 1);
    await until(() => there.dataVersion() > 2);
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
    const [holder, waiting] = [openForTest(url), openForTest(url)];
    const other = createStore(waiting);
    const hosts = withStoreErrors({ leaveRuns }, waiting);
    const listed = holder.write(() => {
      holder.run('INSERT INTO spec (sha256, text) VALUES (?, ?)', 'a', 'a');
      expect(() => hosts.leaveRuns(waiting, owner, 1)).toThrow(
        expect.objectContaining({
          code: 'unavailable',
          details: expect.objectContaining({ sqlstate: '55P03' }) as object,
          message: expect.stringMatching(
            /database .* was locked by another process for too long\. Try again\./,
          ) as string,
        }),
      );
      const reading = other.listRuns({ limit: 10 });
      // It is not waited for as long again.
      expect(() => hosts.leaveRuns(waiting, owner, 1)).toThrow(
        expect.objectContaining({ code: 'unavailable' }),
      );
      return reading;
    });
    expect(await listed).toEqual([]);
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
    database.run("UPDATE spec SET text = 'other'");
    expect(await store.check()).toEqual([expect.stringMatching(/checksum mismatch in stored workflow \d+/)]);
    expect(await thrownBy(() => store.getDetail(run))).toMatchObject({
      code: 'database_corrupt',
      message: expect.stringContaining('restore a backup with the PostgreSQL tools') as string,
    });
  });
});
