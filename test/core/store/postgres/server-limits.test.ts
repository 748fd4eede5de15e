import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { openStore, prepareServerDatabase } from '../../../../core/store/open-store.ts';
import { describeOnPostgres, openForTest } from '../../../harness/databases.ts';
import { waitUntilPasses } from '../../../harness/resources.ts';
import { defaultVersions, TestPostgres } from '../../../harness/servers/postgres.ts';
import { describeRun } from '../store-harness.ts';

async function connect(url: string): Promise<Client> {
  const client = new Client(url);
  client.on('error', () => undefined);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** A server of this test with a role that is no superuser. */
async function startServer(
  version: TestPostgres['version'],
  settings: readonly string[],
): Promise<{ server: TestPostgres; admin: Client; url: string }> {
  const server = await TestPostgres.start(version, settings);
  onTestFinished(() => server.close());
  const admin = await connect(server.url);
  await admin.query('CREATE ROLE app LOGIN; GRANT CREATE ON DATABASE postgres TO app');
  return { server, admin, url: server.url.replace('postgres@', 'app@') };
}

/** Opens connections until there are no more. */
async function fill(url: string, others: Client[]): Promise<void> {
  try {
    for (;;) others.push(await connect(url));
  } catch (error) {
    expect(error).toMatchObject({ code: '53300' });
  }
}

describeOnPostgres(
  'limits of a server',
  (version) => {
    it('for statements and idle sessions do not apply', async () => {
      const limits = ['statement_timeout=100', 'lock_timeout=1', 'idle_session_timeout=100'];
      const { admin, url } = await startServer(version, [...limits, 'idle_in_transaction_session_timeout=1']);
      await admin.query("ALTER ROLE app SET default_transaction_isolation = 'serializable'");
      const database = openForTest(url);
      await database.perform(() =>
        database.write(() => {
          database.run('INSERT INTO spec (sha256, text) VALUES (?, ?)', 'a', 'a');
          database.get('SELECT pg_sleep(0.15) AS slept');
        }),
      );
      const { pid } = (await database.perform(() =>
        database.get<{ pid: number }>('SELECT pg_backend_pid() AS pid'),
      ))!;
      const other = openForTest(url);
      await other.perform(() => other.get('SELECT pg_sleep(0.15) AS slept'));
      expect(await database.perform(() => database.get('SELECT pg_backend_pid() AS pid'))).toEqual({ pid });
      expect(await database.perform(() => database.get('SHOW transaction_isolation'))).toEqual({
        transaction_isolation: 'read committed',
      });
    });

    it('for connections are described, and work continues when one is free', async () => {
      // Some are reserved for superusers.
      const { admin, url } = await startServer(version, [
        'max_connections=8',
        'superuser_reserved_connections=3',
      ]);
      const store = openStore({ url });
      onTestFinished(() => store.close());
      await store.createRun(describeRun(), 1);
      const others: Client[] = [];
      await fill(url, others);
      const full = {
        code: 'unavailable',
        message: expect.stringMatching(/all of its connections are in use .*Raise max_connections/) as string,
      };
      await waitUntilPasses(async () => {
        // A connection may still be ending.
        await expect(prepareServerDatabase(url)).rejects.toThrow(expect.objectContaining(full));
      });
      await admin.query(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'stepwright'",
      );
      await fill(url, others);
      await expect(store.createRun(describeRun(), 2)).rejects.toThrow(expect.objectContaining(full));
      await Promise.all(others.map((each) => each.end()));
      await waitUntilPasses(async () => expect(await store.listRuns({ limit: 10 })).toHaveLength(1));
      await waitUntilPasses(async () => void (await store.createRun(describeRun(), 3)));
    });
  },
  defaultVersions,
);
