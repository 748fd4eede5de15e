import { describe, expect, it, onTestFinished } from 'vitest';
import { AppError } from '../../../../core/base/errors.ts';
import { systemClock } from '../../../../core/base/system-clock.ts';
import { overrideTimings } from '../../../../core/base/timings.ts';
import { createStore, openStore, type Store } from '../../../../core/store/open-store.ts';
import { readPostgresUrl } from '../../../../core/store/postgres/open-postgres.ts';
import type { PostgresDatabase } from '../../../../core/store/postgres/postgres-database.ts';
import { SessionPool } from '../../../../core/store/postgres/session-pool.ts';
import { toLockKey } from '../../../../core/store/postgres/transaction.ts';
import { Session } from '../../../../core/store/postgres/session.ts';
import { TestPostgres, missingForPostgres, postgresVersions } from '../../../harness/servers/postgres.ts';
import { until } from '../../../harness/resources.ts';
import { describeRun, owner, thrownBy } from '../store-harness.ts';
import { describeOnServers, newSchemaUrl, openForTest } from '../../../harness/databases.ts';

/** Terminates the idle connections of a store on the server's side; they are closed when this returns. */
async function terminate(database: PostgresDatabase, killer: PostgresDatabase): Promise<void> {
  const { pid } = (await database.perform(() =>
    database.get<{ pid: number }>('SELECT pg_backend_pid() AS pid'),
  ))!;
  const listeners = `SELECT pid FROM pg_stat_activity WHERE query LIKE '%LISTEN "${database.schema}_changes"'`;
  const all = `SELECT pg_terminate_backend(pid, 5000) FROM (${listeners} UNION SELECT CAST(? AS integer)) AS each`;
  await killer.perform(() => killer.all(all, pid));
}

/** Terminates its own connection. */
const terminateSql = 'SELECT pg_terminate_backend(pg_backend_pid())';
const insertSql = 'INSERT INTO spec (sha256, text) VALUES (?, ?)';

/** Continues as soon as the server is up again: no process must be restarted. */
async function untilAnswered<Result>(operation: () => Promise<Result> | Result): Promise<Result> {
  for (;;) {
    try {
      return await operation();
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'unavailable')) throw error;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describeOnServers('lost connection', (server) => {
  it('between two operations is restored unnoticed', async () => {
    const url = newSchemaUrl(server());
    const [database, killer] = [openForTest(url), openForTest(url)];
    const store = createStore(database);
    const run = await store.createRun(describeRun(), 1);
    const before = store.dataVersion();
    await terminate(database, killer);
    // Others may have written while there was no listener.
    await until(() => store.dataVersion() !== before);
    expect(await store.findRun(run)).toEqual(run);
    const heard = store.dataVersion();
    await createStore(killer).createRun(describeRun(), 2);
    await until(() => store.dataVersion() !== heard);
  });

  it('in a transaction fails that transaction, and the next one succeeds', async () => {
    const database = openForTest(newSchemaUrl(server()));
    const store = createStore(database);
    const add = (text: string): number => database.run(insertSql, text, text).key;
    let ended = 0;
    const cut = (): unknown =>
      database.write(() => {
        add('a');
        expect(() => database.savepoint(() => database.get(terminateSql))).toThrow(/terminat/);
        // A caller that continues regardless fails, too.
        for (const text of ['b', 'c']) expect(() => database.savepoint(() => add(text))).toThrow(/terminat/);
        ended += 1;
      });
    expect(await thrownBy(() => attempt(database, cut))).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(
        /^Lost the connection to the database .* \(.*\) before the change was committed\. Try again\./,
      ) as string,
    });
    expect(ended).toBe(1);
    expect(await database.perform(() => database.all('SELECT key FROM spec'))).toEqual([]);
    await store.createRun(describeRun(), 1);
    expect(await store.listRuns({ limit: 10 })).toHaveLength(1);
  });

  it('during a commit reports that the outcome is unknown', async () => {
    const database = openForTest(newSchemaUrl(server()));
    const commit = (): unknown =>
      database.write(() => {
        database.run(insertSql, 'a', 'a');
        database.run(terminateSql);
      });
    expect((await thrownBy(() => attempt(database, commit))).message).toMatch(
      /^Lost the connection to the database .* \(.*\) while a change was being committed\. Check whether it was saved before you repeat it\./,
    );
    expect(await createStore(database).lastEventId()).toBe(0);
  });

  it('without an answer ends what it has sent before the next one is used', async () => {
    const url = newSchemaUrl(server());
    const watcher = openForTest(url);
    const settings = { ...readPostgresUrl(url), origin: 'test' };
    const session = new Session(settings, systemClock, () => undefined);
    onTestFinished(() => session.close());
    const run = (text: string, timeoutMs: number): Promise<unknown> =>
      session.run({ operation: 1, steps: [{ text }], begins: true, timeoutMs });
    await expect(run('SELECT pg_sleep(3600)', 50)).rejects.toThrow('no response for 0.05 seconds');
    await run('SELECT 1', 30_000);
    const left = "SELECT pid FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(3600)'";
    expect(await watcher.perform(() => watcher.all(left))).toEqual([]);
  });

  it('that hangs in a transaction does not block others forever', async () => {
    overrideTimings({ databaseLock: 100, idleTransaction: 500 });
    onTestFinished(() => overrideTimings({}));
    const url = newSchemaUrl(server());
    const other = openForTest(url);
    const store = createStore(other);
    await store.ready();
    const halted = new SessionPool({ ...readPostgresUrl(url), origin: 'halted' }, systemClock);
    onTestFinished(() => halted.close());
    const send = (begins: boolean, text: string): Promise<unknown> =>
      halted.request({ operation: 1, begins, steps: [{ text }], timeoutMs: 30_000 });
    const insert = "INSERT INTO spec (sha256, text) VALUES ('a', 'a')";
    await send(true, `BEGIN; SELECT pg_advisory_xact_lock(${toLockKey(other.schema)}); ${insert}`);
    await expect(store.leaveRuns(owner, 1)).rejects.toMatchObject({ code: 'unavailable' });
    // The server terminates a session that idles in a transaction for so long.
    await untilAnswered(() => store.leaveRuns(owner, 1));
    await expect(send(false, 'COMMIT')).rejects.toMatchObject({ failure: { kind: 'lost' } });
    expect(await other.perform(() => other.all("SELECT key FROM spec WHERE text = 'a'"))).toEqual([]);
  });
});

/** As a store does it. */
async function attempt(database: PostgresDatabase, operation: () => unknown): Promise<void> {
  try {
    await database.perform(operation);
  } catch (error) {
    throw database.toStoreError(error);
  }
}

for (const version of postgresVersions) {
  const missing = missingForPostgres(version);
  const lack = missing === undefined ? '' : ` (missing here: ${missing})`;
  describe.skipIf(missing !== undefined)(`a killed server, PostgreSQL ${version}${lack}`, () => {
    it('has every acknowledged change after a restart, and the store continues', async () => {
      const server = await TestPostgres.start(version);
      onTestFinished(() => server.close());
      const store: Store = openStore({ url: server.url });
      onTestFinished(() => store.close());
      const acknowledged: string[] = [];
      const add = async (): Promise<void> => {
        const run = describeRun();
        await store.createRun(run, 1);
        acknowledged.push(run.dagRunId);
      };
      for (let round = 0; round < 3; round += 1) {
        for (let count = 0; count < 20; count += 1) await add();
        await server.kill();
        expect(await thrownBy(() => add())).toMatchObject({ code: 'unavailable' });
        await server.begin();
        await untilAnswered(add);
      }
      const stored = (await store.listRuns({ limit: 1000 })).map(({ dagRunId }) => dagRunId);
      expect(stored.toSorted()).toEqual(acknowledged.toSorted());
    }, 60_000);
  });
}
