import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import type { Database, SqlValue } from '../../../core/store/database/database.ts';
import { addTableRows, listTables, readTableRows, type Table } from '../../../core/store/database/tables.ts';
import { openServerDatabase } from '../../../core/store/open-store.ts';
import { openMemoryDatabase } from './empty-database.ts';
import { type PostgresVersion, missingForPostgres, postgresVersions, sharePostgres } from './postgres.ts';

/** A schema of a server that tests use one after another, and its initial state. */
interface TestSchema {
  readonly database: Database;
  readonly tables: readonly Table[];
  readonly firstRows: ReadonlyMap<Table, SqlValue[][]>;
}

/** What `openTestDatabase` opens; undefined for one in memory. */
let server: { readonly url: string; readonly free: TestSchema[] } | undefined;
let schemas = 0;

/**
 * The same tests on SQLite, and on the available PostgreSQL servers; missing ones are skipped, with the
 * reason in the title. Their stores come from {@link openTestDatabase}.
 */
export function describeOnStores(name: string, define: () => void): void {
  describe(`${name}, SQLite`, () => {
    define();
  });
  for (const version of postgresVersions) {
    const missing = missingForPostgres(version);
    const lack = missing === undefined ? '' : ` (missing here: ${missing})`;
    describe.skipIf(missing !== undefined)(`${name}, PostgreSQL ${version}${lack}`, () => {
      useServer(version);
      define();
    });
  }
}

const free = new Map<PostgresVersion, TestSchema[]>();

function useServer(version: PostgresVersion): void {
  beforeAll(async () => {
    const { url } = await sharePostgres(version);
    const list = free.get(version) ?? [];
    free.set(version, list);
    server = { url, free: list };
  }, 60_000);
  afterAll(() => {
    server = undefined;
  });
}

/**
 * Releases what this test has opened before the next is opened: for tests that need many, one after another.
 */
let restore: (() => void)[] = [];

/** A new database of the current kind. It is removed after the test. */
export function openTestDatabase(): Database {
  if (server === undefined) {
    const database = openMemoryDatabase();
    onTestFinished(() => database.close());
    return database;
  }
  const { url, free: list } = server;
  const schema = list.pop() ?? openSchema(url);
  let isGiven = false;
  const give = (): void => {
    if (isGiven) return;
    isGiven = true;
    clear(schema);
    list.push(schema);
  };
  restore.push(give);
  onTestFinished(() => {
    restore = restore.filter((other) => other !== give);
    give();
  });
  return hand(schema.database);
}

/** The same instead of the databases that this test has opened before. */
export function openNextTestDatabase(): Database {
  for (const give of restore.splice(0)) give();
  return openTestDatabase();
}

function openSchema(url: string): TestSchema {
  schemas += 1;
  const database = openServerDatabase(`${url}?schema=test_${schemas}`);
  const tables = listTables(database);
  const firstRows = new Map(
    tables.map((table) => [table, readTableRows(database, table, undefined, 1000)] as const),
  );
  return { database, tables, firstRows };
}

/** Without foreign key checks, which a server disables for its superuser. */
function clear({ database, tables, firstRows }: TestSchema): void {
  database.write(() => {
    const removals = tables.map(({ name }) => `DELETE FROM "${name}"`);
    database.execute(['SET LOCAL session_replication_role = replica', ...removals].join('; '));
    database.get(
      'SELECT setval(CAST(quote_ident(sequencename) AS regclass), 1, false) FROM pg_sequences WHERE schemaname = current_schema()',
    );
    for (const [table, rows] of firstRows) addTableRows(database, table, rows);
  });
}

/**
 * The connection as a new one: cached state of a database belongs to this test, and the connection stays
 * open.
 */
const hand = (database: Database): Database =>
  new Proxy(database, {
    get: (target, name) => {
      if (name === 'close') return () => undefined;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
