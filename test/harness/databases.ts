import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import type { Database, SqlValue } from '../../core/store/database/database.ts';
import { listTables, type Table } from '../../core/store/database/tables.ts';
import { openServerDatabase } from '../../core/store/open-store.ts';
import type { GatewayDatabase } from '../../core/store/sql/database.ts';
import {
  openDatabase as openGatewayDatabase,
  type DatabaseSettings,
} from '../../core/gateway/database/open-database.ts';
import { systemClock } from '../../core/base/system-clock.ts';
import type { PostgresDatabase } from '../../core/store/postgres/postgres-database.ts';
import {
  type PostgresVersion,
  missingForPostgres,
  postgresVersions,
  sharePostgres,
  TestPostgres,
} from './servers/postgres.ts';
import { openEmptyDatabase } from './empty-database.ts';
import { silentLogger } from './fakes.ts';
import { addTableRows, readTableRows } from './table-rows.ts';

/** The same tests on each PostgreSQL server; missing ones are skipped, with the reason in the title. */
export function describeOnPostgres(
  name: string,
  define: (version: PostgresVersion) => void,
  versions: readonly PostgresVersion[] = postgresVersions,
): void {
  for (const version of versions) {
    const missing = missingForPostgres(version);
    const lack = missing === undefined ? '' : ` (missing here: ${missing})`;
    describe.skipIf(missing !== undefined)(`${name}, PostgreSQL ${version}${lack}`, () => {
      define(version);
    });
  }
}

/** A schema of a server that tests use one after another, and its initial state. */
interface TestSchema {
  readonly database: Database;
  /** Its tables with their initial rows. */
  readonly initial: Promise<ReadonlyMap<Table, SqlValue[][]>>;
  /** Resolves when it is in its initial state. */
  cleared: Promise<unknown>;
}

/** What `openTestDatabase` opens; undefined for one in memory. */
let current: { readonly url: string; readonly free: TestSchema[] } | undefined;
let schemas = 0;

/**
 * The same tests on SQLite, and on the available PostgreSQL servers; missing ones are skipped, with the
 * reason in the title. Their stores come from {@link openTestDatabase}.
 */
export function describeOnStores(name: string, define: () => void): void {
  describe(`${name}, SQLite`, () => {
    define();
  });
  describeOnPostgres(name, (version) => {
    useServer(version);
    define();
  });
}

const free = new Map<PostgresVersion, TestSchema[]>();

function useServer(version: PostgresVersion): void {
  beforeAll(async () => {
    const { url } = await sharePostgres(version);
    const list = free.get(version) ?? [];
    free.set(version, list);
    current = { url, free: list };
  }, 60_000);
  afterAll(() => {
    current = undefined;
  });
}

/**
 * Releases what this test has opened before the next is opened: for tests that need many, one after another.
 */
let restore: (() => void)[] = [];

/** A new database of the current kind. It is removed after the test. */
export function openTestDatabase(): Database {
  if (current === undefined) {
    const database = openEmptyDatabase();
    onTestFinished(() => database.close());
    return database;
  }
  const { url, free: list } = current;
  const schema = list.pop() ?? openSchema(url);
  let isGiven = false;
  const give = (): void => {
    if (isGiven) return;
    isGiven = true;
    schema.cleared = clear(schema);
    schema.cleared.catch(() => {
      // The next test gets another one.
      list.splice(list.indexOf(schema), 1);
    });
    list.push(schema);
  };
  restore.push(give);
  onTestFinished(() => {
    restore = restore.filter((other) => other !== give);
    give();
  });
  return hand(schema);
}

/** The same instead of the databases that this test has opened before. */
export function openNextTestDatabase(): Database {
  for (const give of restore.splice(0)) give();
  return openTestDatabase();
}

function openSchema(url: string): TestSchema {
  schemas += 1;
  const database = openServerDatabase(`${url}?schema=test_${schemas}`);
  const initial = database.perform(
    () =>
      new Map(
        listTables(database).map(
          (table) => [table, readTableRows(database, table, undefined, 1000)] as const,
        ),
      ),
  );
  return { database, initial, cleared: initial };
}

/** Without foreign key checks, which a server disables for its superuser. */
async function clear({ database, initial, cleared }: TestSchema): Promise<void> {
  await cleared;
  const firstRows = await initial;
  await database.perform(() =>
    database.write(() => {
      const removals = [...firstRows.keys()].map(({ name }) => `DELETE FROM "${name}"`);
      database.execute(['SET LOCAL session_replication_role = replica', ...removals].join('; '));
      database.get(
        'SELECT setval(CAST(quote_ident(sequencename) AS regclass), 1, false) FROM pg_sequences WHERE schemaname = current_schema()',
      );
      for (const [table, rows] of firstRows) addTableRows(database, table, rows);
    }),
  );
}

/**
 * The connection as a new one: cached state of a database belongs to this test, and the connection stays
 * open. Operations wait until the schema is cleared.
 */
const hand = (schema: TestSchema): Database =>
  new Proxy(schema.database, {
    get: (target, name) => {
      if (name === 'close') return () => undefined;
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      const method = value.bind(target) as (...values: unknown[]) => unknown;
      if (!/^(perform|transact|transactIf)$/.test(String(name))) return method;
      return async (...values: unknown[]) => {
        await schema.cleared;
        return await method(...values);
      };
    },
  });

/** A database for tests of the gateway. */
export interface DatabaseUnderTest {
  readonly kind: 'embedded' | PostgresVersion;
  readonly database: GatewayDatabase;
  /** Of a server; undefined for the embedded database. */
  readonly server?: TestPostgres;
  /** The options of `openDatabase` of the gateway. */
  readonly settings: DatabaseSettings;
  /** Of the embedded database: its home's `data`. */
  readonly home: { readonly data: string };
}

const limits = { poolSize: 10, poolTimeoutMs: 10_000, statementTimeoutMs: 10_000, preparesStatements: true };

/**
 * The same tests on the embedded database, PostgreSQL 15 and 18, each opened once for all tests. Where a
 * server is missing its tests are skipped, with the reason in the title.
 * @param changes of the settings
 * @param versions of the servers
 */
export function describeOnDatabases(
  name: string,
  define: (under: () => DatabaseUnderTest) => void,
  {
    changes = {},
    versions = postgresVersions,
  }: { changes?: Partial<DatabaseSettings>; versions?: readonly PostgresVersion[] } = {},
): void {
  describe(`${name}, embedded`, () => {
    define(openOnce('embedded', changes));
  });
  describeOnPostgres(name, (version) => define(openOnce(version, changes)), versions);
}

function openOnce(
  kind: DatabaseUnderTest['kind'],
  changes: Partial<DatabaseSettings>,
): () => DatabaseUnderTest {
  let under: DatabaseUnderTest | undefined;
  beforeAll(async () => {
    const server = kind === 'embedded' ? undefined : await TestPostgres.start(kind);
    const home = { data: mkdtempSync(join(tmpdir(), 'gateway-')) };
    const settings = { ...limits, ...(server && { databaseUrl: server.url }), ...changes };
    const database = openGatewayDatabase(settings, home, systemClock, silentLogger);
    under = { kind, database, settings, home, ...(server && { server }) };
  }, 60_000);
  afterAll(async () => {
    await under?.database.close();
    await under?.server?.close();
    if (under !== undefined) rmSync(under.home.data, { recursive: true, force: true });
  }, 60_000);
  return () => under!;
}

/** Tests of what only servers have. @param define receives a server that other tests use as well */
export function describeOnServers(name: string, define: (server: () => TestPostgres) => void): void {
  describeOnPostgres(name, (version) => {
    let server: TestPostgres | undefined;
    beforeAll(async () => {
      server = await sharePostgres(version);
    }, 60_000);
    define(() => server!);
  });
}

/** URL of an empty schema. */
export const newSchemaUrl = (server: TestPostgres): string =>
  `${server.url}?schema=own_${randomUUID().slice(0, 8)}`;

/** A connection that is closed with the test. */
export function openForTest(url: string): PostgresDatabase {
  const database = openServerDatabase(url);
  onTestFinished(() => database.close());
  return database;
}
