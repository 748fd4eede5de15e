import { existsSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import type { StorageInfo } from './types/runs.ts';
import type { Database } from './database/database.ts';
import { SqliteDatabase } from './database/sqlite-database.ts';
import { checkPages } from './check-database.ts';
import { hashSpec } from './runs/create-run.ts';

export const readStorage = (database: Database): StorageInfo =>
  database.read(() => ({
    ...(database instanceof SqliteDatabase ? readFileStorage(database) : readServerStorage(database)),
    runs: database.get<{ runs: number }>('SELECT count(*) AS runs FROM run')!.runs,
  }));

function readFileStorage(database: SqliteDatabase): Omit<StorageInfo, 'runs'> {
  const pageSize = database.pragma('page_size');
  return {
    kind: 'sqlite',
    release: database.get<{ release: string }>('SELECT sqlite_version() AS release')!.release,
    bytes: database.pragma('page_count') * pageSize,
    freeBytes: database.pragma('freelist_count') * pageSize,
    version: database.pragma('user_version'),
  };
}

export const check = (database: Database): string[] =>
  database.read(() =>
    database instanceof SqliteDatabase ? checkPages(database, 'integrity_check') : checkServer(database),
  );

const sizeSql = /* sql */ `
  SELECT CAST(coalesce(sum(pg_total_relation_size(oid)), 0) AS BIGINT) AS bytes,
    (SELECT version FROM schema_version) AS version, current_setting('server_version') AS release,
    (SELECT CAST(extract(epoch FROM backend_start) * 1000 AS BIGINT) FROM pg_stat_activity
      WHERE pid = pg_backend_pid()) AS connected_at
  FROM pg_class WHERE relkind = 'r' AND relnamespace = to_regnamespace(current_schema())`;

/** Reads the size of our data in PostgreSQL, which reuses the space of removed rows itself. */
function readServerStorage(database: Database): Omit<StorageInfo, 'runs'> {
  const row = database.get<{ bytes: number; version: number; release: string; connected_at: number }>(
    sizeSql,
  )!;
  const { bytes, version, connected_at: connectedAt } = row;
  // Debian and other distributions append more to the number.
  const [release = ''] = row.release.split(' ');
  return { kind: 'postgres', release, connectedAt, bytes, freeBytes: 0, version };
}

const brokenIndexesSql = /* sql */ `
  SELECT relname AS name FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
  WHERE NOT (indisvalid AND indisready) AND relnamespace = to_regnamespace(current_schema())`;
const brokenPagesSql =
  'SELECT coalesce(checksum_failures, 0) AS failures FROM pg_stat_database WHERE datname = current_database()';

/**
 * Returns all errors of the database that its server reports: incomplete indexes, pages with wrong checksums, and
 * sources that differ from their checksums.
 */
function checkServer(database: Database): string[] {
  const { failures } = database.get<{ failures: number }>(brokenPagesSql)!;
  return [
    ...(failures === 0
      ? []
      : [`the server found ${failures} damaged ${failures === 1 ? 'page' : 'pages'} in this database`]),
    ...database
      .all<{ name: string }>(brokenIndexesSql)
      .map(({ name }) => `index ${name} is incomplete; rebuild it with REINDEX INDEX ${name}`),
    ...database
      .all<{ key: number; sha256: string; text: string }>('SELECT key, sha256, text FROM spec')
      .filter(({ text, sha256 }) => hashSpec(text) !== sha256)
      .map(({ key }) => `checksum mismatch in stored workflow ${key}`),
  ];
}

/**
 * Whether another process, or another part of this one, has a database open. Leaving WAL mode needs exclusive access,
 * and a killed process holds no lock, so the answer is exact; the next opener enters WAL mode again. A file too damaged
 * for SQLite counts as free, because it cannot be used.
 */
export function isDatabaseInUse(file: string): boolean {
  if (!existsSync(file)) return false;
  const database = new SqliteDatabase(file);
  try {
    return !database.withoutWaiting(() => database.execute('PRAGMA journal_mode = DELETE'));
  } catch (error) {
    if (error instanceof Sqlite.SqliteError) return false;
    throw error;
  } finally {
    database.close();
  }
}
