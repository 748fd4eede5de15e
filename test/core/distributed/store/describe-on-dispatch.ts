import type {
  DispatchStore,
  Labels,
  NewTask,
  WorkerRegistration,
} from '../../../../core/store/types/dispatch.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe } from 'vitest';
import { openDispatch } from '../../../../core/distributed/store/open-dispatch.ts';
import type { DispatchSettings } from '../../../../core/distributed/store/rows.ts';
import { SqliteDatabase } from '../../../../core/store/database/sqlite-database.ts';
import { prepareServerDatabase } from '../../../../core/store/open-store.ts';
import { systemClock } from '../../../../core/base/system-clock.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { describeOnPostgres } from '../../../harness/databases.ts';
import { type PostgresVersion, TestPostgres } from '../../../harness/servers/postgres.ts';

/** A task as a host offers it. */
export const newTask = (key: string, changes: Partial<NewTask> = {}): NewTask => ({
  key,
  runKey: 1,
  run: { name: 'etl', dagRunId: 'r1' },
  step: 'load',
  selector: {},
  priority: 0,
  payload: `{"key":"${key}"}`,
  attemptDir: `/logs/${key}`,
  ...changes,
});

/** A worker as it reports. */
export const hello = (
  id: string,
  labels: Labels = {},
  changes: Partial<WorkerRegistration> = {},
): WorkerRegistration => ({
  id,
  labels,
  slots: 10,
  version: '1.0.0',
  host: `host-of-${id}`,
  pid: 7,
  keeps: [],
  ...changes,
});

/** A coordinator's heartbeat. */
export const coordinator = {
  id: 'c1',
  url: 'https://c1',
  version: '1.0.0',
  host: 'm1',
  pid: 1,
  workers: 0,
} as const;

/** Options of the stores under test. */
export const testSettings: DispatchSettings = { leaseMs: 30_000, activationMs: 10_000 };

/** A dispatch store whose time the test controls. */
export interface DispatchStoreUnderTest {
  readonly kind: 'sqlite' | PostgresVersion;
  readonly store: DispatchStore;
  /** Another store of the same database, as in another process. */
  openAnother(): DispatchStore;
  /** Advances the database's time. */
  pass(milliseconds: number): Promise<void>;
  /** Runs SQL for what other parts of the engine write. */
  execute(sql: string): Promise<void>;
  /** Of a server. */
  readonly server?: TestPostgres;
}

interface Opened extends DispatchStoreUnderTest {
  /** Empties the tables. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

/** The same tests on SQLite, PostgreSQL 15 and 18; the tables are empty before each. */
export function describeOnDispatch(
  name: string,
  define: (under: () => DispatchStoreUnderTest) => void,
): void {
  describe(`${name}, SQLite`, () => {
    define(openForEach(openOnSqlite));
  });
  describeOnServers(name, define);
}

/** The same tests on PostgreSQL 15 and 18 only. */
export function describeOnServers(name: string, define: (under: () => DispatchStoreUnderTest) => void): void {
  describeOnPostgres(name, (version) => define(openForEach(() => openOnServer(version))));
}

function openForEach(open: () => Promise<Opened>): () => DispatchStoreUnderTest {
  let under: Opened | undefined;
  const others: DispatchStore[] = [];
  beforeAll(async () => {
    under = await open();
  }, 60_000);
  beforeEach(() => under!.clear());
  afterEach(async () => {
    await Promise.all(others.splice(0).map((store) => store.close()));
  });
  afterAll(async () => under?.close(), 60_000);
  const openAnother = (): DispatchStore => {
    const store = under!.openAnother();
    others.push(store);
    return store;
  };
  return () => ({ ...under!, openAnother });
}

const emptySql = /* sql */ `
  DELETE FROM task; DELETE FROM worker; DELETE FROM coordinator; DELETE FROM join_token; DELETE FROM run; DELETE FROM spec;
  UPDATE dispatch_fact SET stale_refused = 0, reaping_from = 0, last_epoch = 0;`;

async function openOnSqlite(): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), 'dispatch-'));
  const file = join(folder, 'home.db');
  const clock = new FakeClock();
  const open = (): DispatchStore => openDispatch({ file }, clock, testSettings);
  const store = open();
  const database = new SqliteDatabase(file);
  database.configure();
  return {
    kind: 'sqlite',
    store,
    openAnother: open,
    pass: (milliseconds) => Promise.resolve(clock.advance(milliseconds)),
    execute: (sql) => Promise.resolve(database.execute(sql)),
    clear: () => Promise.resolve(database.execute(emptySql)),
    close: async () => {
      await store.close();
      database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Moving past times further into the past has the same effect as advancing the server's clock. */
const passSql = (milliseconds: number): string => /* sql */ `
  UPDATE task SET offered_at = offered_at - ${milliseconds}, claimed_at = claimed_at - ${milliseconds},
    begun_at = begun_at - ${milliseconds}, ended_at = ended_at - ${milliseconds};
  UPDATE worker SET registered_at = registered_at - ${milliseconds}, beat_at = beat_at - ${milliseconds},
    lease_until = lease_until - ${milliseconds};
  UPDATE coordinator SET started_at = started_at - ${milliseconds}, beat_at = beat_at - ${milliseconds};
  UPDATE join_token SET created_at = created_at - ${milliseconds}, expires_at = expires_at - ${milliseconds};
  UPDATE dispatch_fact SET reaping_from = reaping_from - ${milliseconds};`;

async function openOnServer(version: PostgresVersion): Promise<Opened> {
  const server = await TestPostgres.start(version);
  await makeTables(server.url);
  const open = (): DispatchStore => openDispatch({ url: server.url }, systemClock, testSettings);
  const store = open();
  const pool = new pg.Pool({ connectionString: server.url, options: '-c search_path=stepwright', max: 2 });
  // The server is killed by tests.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const execute = async (sql: string): Promise<void> => {
    try {
      await pool.query(sql);
    } catch (error) {
      // It touches all rows, in no order, while a store is at work.
      if ((error as { code?: string }).code !== '40P01') throw error;
      await execute(sql);
    }
  };
  return {
    kind: version,
    store,
    server,
    openAnother: open,
    pass: (milliseconds) => execute(passSql(milliseconds)),
    execute,
    clear: () => execute(`${emptySql} UPDATE dispatch_fact SET database_start = pg_postmaster_start_time();`),
    close: async () => {
      await store.close();
      await pool.end();
      await server.close();
    },
  };
}

/** The tables of a home in an empty database. */
const makeTables = (url: string): Promise<void> => prepareServerDatabase(url);
