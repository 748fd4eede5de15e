import type { StorageInfo } from '../../run/ports.ts';
import type { Database } from '../database/database.ts';
import { hashSpec } from '../runs/changes/create-run.ts';

const sizeSql = /* sql */ `
  SELECT CAST(coalesce(sum(pg_total_relation_size(oid)), 0) AS BIGINT) AS bytes,
    (SELECT version FROM schema_version) AS version, current_setting('server_version') AS release,
    (SELECT CAST(extract(epoch FROM backend_start) * 1000 AS BIGINT) FROM pg_stat_activity
      WHERE pid = pg_backend_pid()) AS connected_at
  FROM pg_class WHERE relkind = 'r' AND relnamespace = to_regnamespace(current_schema())`;

/** Reads the size of our data in PostgreSQL, which reuses the space of removed rows itself. */
export function readServerStorage(database: Database): Omit<StorageInfo, 'runs'> {
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
export function checkServer(database: Database): string[] {
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
