import { Client } from 'pg';
import { expect, it } from 'vitest';
import { migrations } from '../../../../core/store/database/migrate.ts';
import { openPostgres } from '../../../../core/store/postgres/open-postgres.ts';
import { listTables } from '../../../../core/store/database/tables.ts';
import { createStore, prepareServerDatabase } from '../../../../core/store/open-store.ts';
import { findFreePort } from '../../../harness/servers/ports.ts';
import type { TestPostgres } from '../../../harness/servers/postgres.ts';
import { describeRun, openMemoryDatabase, thrownBy } from '../store-harness.ts';
import { describeOnServers, newSchemaUrl, openForTest } from '../../../harness/databases.ts';

/** Runs something as the server's superuser, independently of the store. */
async function ask(server: TestPostgres, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client(server.url);
  await client.connect();
  try {
    const result = await client.query<Record<string, unknown>>(sql);
    return result.rows;
  } finally {
    await client.end();
  }
}

const getSchema = (url: string): string => new URL(url).searchParams.get('schema')!;

it('every migration since the first of PostgreSQL exists for both kinds', () => {
  const first = migrations.findIndex(({ postgres }) => postgres !== undefined);
  expect(migrations[first]!.version).toBe(18);
  expect(migrations.slice(first).filter(({ postgres }) => postgres === undefined)).toEqual([]);
});

it.each([
  ['mysql://host/x', /The database URL is invalid\. Use postgres:/],
  ['postgres://user:secret@host/x?schema=Big', /invalid schema name "Big": use lowercase letters/],
  ['postgres://user:secret@host/x?shema=a', /has an unknown parameter "shema"/],
])('rejects the URL %s without showing its password', async (url, message) => {
  const error = await thrownBy(() => prepareServerDatabase(url));
  expect(error).toMatchObject({ code: 'home_unusable', message: expect.stringMatching(message) as string });
  expect(error.message).not.toContain('secret');
});

it('reports a server that does not respond as temporarily unavailable', async () => {
  const url = `postgres://somebody:secret@127.0.0.1:${await findFreePort()}/x`;
  const error = await thrownBy(() => prepareServerDatabase(url));
  expect(error.code).toBe('unavailable');
  expect(error.message).toMatch(
    /Cannot reach the database .*ECONNREFUSED.* Check the server and the network/,
  );
  expect(error.message).not.toContain('secret');
});

describeOnServers('a schema on a server', (server) => {
  it('has the tables, columns and indexes that SQLite has', async () => {
    const database = openForTest(newSchemaUrl(server()));
    const file = openMemoryDatabase();
    // Each kind stores its own data about other machines.
    const own = new Set(['task', 'worker', 'coordinator', 'join_token', 'dispatch_fact']);
    const describe = (tables: ReturnType<typeof listTables>): [string, string[], readonly string[]][] =>
      tables
        .filter(({ name }) => !own.has(name))
        .map(({ name, columns, key }): [string, string[], readonly string[]] => [
          name,
          columns.toSorted(),
          key,
        ])
        .toSorted(([left], [right]) => (left < right ? -1 : 1));
    expect(describe(await database.perform(() => listTables(database)))).toEqual(describe(listTables(file)));
    const indexes = file.all<{ name: string; tbl_name: string }>(
      "SELECT name, tbl_name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL",
    );
    const there = new Set(
      (
        await database.perform(() =>
          database.all<{ name: string }>(
            'SELECT indexname AS name FROM pg_indexes WHERE schemaname = current_schema()',
          ),
        )
      ).map(({ name }) => name),
    );
    expect(indexes.filter(({ name, tbl_name: table }) => !own.has(table) && !there.has(name))).toEqual([]);
  });

  it('is created once, and separate from others of its database', async () => {
    const [one, other] = [newSchemaUrl(server()), newSchemaUrl(server())];
    const first = createStore(openForTest(one));
    const run = await first.createRun(describeRun(), 1);
    expect(await createStore(openForTest(one)).findRun(run)).toEqual(run);
    expect(await createStore(openForTest(other)).listRuns({ limit: 10 })).toEqual([]);
    expect((await first.storage()).version).toBe(migrations.at(-1)!.version);
  });

  it('migrates from its current version', async () => {
    const url = newSchemaUrl(server());
    const next = migrations.at(-1)!.version + 1;
    await prepareServerDatabase(url);
    const more = { version: next, sql: '', postgres: 'CREATE TABLE later (key bigint)' };
    const database = openPostgres(url, [...migrations, more]);
    expect(await database.perform(() => database.all('SELECT key FROM later'))).toEqual([]);
    expect(await database.perform(() => database.get('SELECT version FROM schema_version'))).toEqual({
      version: next,
    });
    database.close();
  });

  it('of a newer release is rejected and stays unchanged', async () => {
    const url = newSchemaUrl(server());
    await prepareServerDatabase(url);
    await ask(server(), `UPDATE ${getSchema(url)}.schema_version SET version = 1000`);
    expect(await thrownBy(() => prepareServerDatabase(url))).toMatchObject({
      code: 'database_newer',
      details: { found: 1000, known: migrations.at(-1)!.version },
    });
  });

  it('of another program is rejected and stays unchanged', async () => {
    const url = newSchemaUrl(server());
    const schema = getSchema(url);
    await ask(server(), `CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.theirs (a int)`);
    const error = await thrownBy(() => prepareServerDatabase(url));
    expect(error.code).toBe('home_unusable');
    expect(error.message).toMatch(/contains the table theirs of another program; use another schema/);
    expect(
      await ask(server(), `SELECT tablename FROM pg_tables WHERE schemaname = '${schema}'`),
    ).toHaveLength(1);
  });

  it('that must not be created is rejected with a hint', async () => {
    const url = new URL(newSchemaUrl(server()));
    const role = getSchema(url.href);
    await ask(server(), `CREATE ROLE ${role} LOGIN`);
    url.username = role;
    const error = await thrownBy(() => prepareServerDatabase(url.href));
    expect(error.code).toBe('home_unusable');
    expect(error.message).toMatch(/permission denied for database .*Grant its user CREATE on the database/);
  });

  it('in a database that does not exist is rejected', async () => {
    const url = new URL(newSchemaUrl(server()));
    url.pathname = '/nowhere';
    expect(await thrownBy(() => prepareServerDatabase(url.href))).toMatchObject({
      code: 'home_unusable',
      message: expect.stringContaining('database "nowhere" does not exist') as string,
    });
  });
});
