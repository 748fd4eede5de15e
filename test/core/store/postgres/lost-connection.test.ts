import { describe, expect, it, onTestFinished } from 'vitest';
import { AppError } from '../../../../core/base/errors.ts';
import { systemClock } from '../../../../core/base/system-clock.ts';
import { overrideTimings, timings } from '../../../../core/base/timings.ts';
import { leaveRuns } from '../../../../core/store/hosts.ts';
import { createStore, openStore, withStoreErrors, type Store } from '../../../../core/store/open-store.ts';
import { readPostgresUrl } from '../../../../core/store/postgres/open-postgres.ts';
import { Session } from '../../../../core/store/postgres/session.ts';
import { TestPostgres, missingForPostgres, postgresVersions } from '../../../harness/servers/postgres.ts';
import { until } from '../../../harness/resources.ts';
import { describeRun, owner, thrownBy } from '../store-harness.ts';
import { describeOnServers, newSchemaUrl, openForTest } from '../../../harness/databases.ts';

/** Terminates a connection on the server's side; it is closed when this returns. */
function terminate(store: ReturnType<typeof openForTest>, killer: ReturnType<typeof openForTest>): void {
  const { pid } = store.get<{ pid: number }>('SELECT pg_backend_pid() AS pid')!;
  killer.get('SELECT pg_terminate_backend(CAST(? AS integer), 5000)', pid);
}

const isLost = (operation: () => unknown): boolean => {
  try {
    operation();
    return false;
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable') return true;
    throw error;
  }
};

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
    terminate(database, killer);
    // Others may have written while there was no listener.
    await until(() => store.dataVersion() !== before);
    expect(store.findRun(run)).toEqual(run);
    const heard = store.dataVersion();
    await createStore(killer).createRun(describeRun(), 2);
    await until(() => store.dataVersion() !== heard);
  });

  it('in a transaction fails that transaction, and the next one succeeds', async () => {
    const url = newSchemaUrl(server());
    const [database, killer] = [openForTest(url), openForTest(url)];
    const store = createStore(database);
    const add = (text: string): number =>
      database.run('INSERT INTO spec (sha256, text) VALUES (?, ?)', text, text).key;
    let ended = 0;
    const cut = (): unknown =>
      database.write(() => {
        add('a');
        terminate(database, killer);
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
    expect(database.all('SELECT key FROM spec')).toEqual([]);
    await store.createRun(describeRun(), 1);
    expect(await store.listRuns({ limit: 10 })).toHaveLength(1);
  });

  it('during a commit reports that the outcome is unknown', async () => {
    const url = newSchemaUrl(server());
    const [database, killer] = [openForTest(url), openForTest(url)];
    const commit = (): unknown =>
      database.write(() => {
        database.run('INSERT INTO spec (sha256, text) VALUES (?, ?)', 'a', 'a');
        terminate(database, killer);
      });
    expect((await thrownBy(() => attempt(database, commit))).message).toMatch(
      /^Lost the connection to the database .* \(.*\) while a change was being committed\. Check whether it was saved before you repeat it\./,
    );
    expect(createStore(database).lastEventId()).toBe(0);
  });

  it('without an answer ends what it has sent before the next one is used', async () => {
    const url = newSchemaUrl(server());
    const watcher = openForTest(url);
    const settings = { ...readPostgresUrl(url), origin: 'test', timings };
    const session = new Session(settings, systemClock, () => undefined);
    onTestFinished(() => session.close());
    const run = (text: string, timeoutMs: number): Promise<unknown> =>
      session.run({ id: 1, steps: [{ text }], begins: true, timeoutMs });
    await expect(run('SELECT pg_sleep(3600)', 50)).rejects.toThrow('no response for 0.05 seconds');
    await run('SELECT 1', 30_000);
    const left = "SELECT pid FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(3600)'";
    expect(watcher.all(left)).toEqual([]);
  });

  it('that hangs in a transaction does not block others forever', async () => {
    overrideTimings({ databaseLock: 100, idleTransaction: 500 });
    onTestFinished(() => overrideTimings({}));
    const url = newSchemaUrl(server());
    const [halted, other] = [openForTest(url), openForTest(url)];
    const hosts = withStoreErrors({ leaveRuns }, other);
    const stay = (): unknown =>
      halted.write(() => {
        halted.run('INSERT INTO spec (sha256, text) VALUES (?, ?)', 'a', 'a');
        // The server terminates a session that idles in a transaction for so long.
        while (isLost(() => hosts.leaveRuns(other, owner, 1)));
        halted.run('INSERT INTO spec (sha256, text) VALUES (?, ?)', 'b', 'b');
      });
    expect((await thrownBy(() => attempt(halted, stay))).code).toBe('unavailable');
    expect(halted.all("SELECT key FROM spec WHERE text IN ('a', 'b')")).toEqual([]);
  });
});

/** As a store does it. */
function attempt(database: ReturnType<typeof openForTest>, operation: () => unknown): void {
  try {
    operation();
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
