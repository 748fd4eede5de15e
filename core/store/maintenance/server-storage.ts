import type { StorageFacts } from '../../run/ports.ts';
import type { Database } from '../database/database.ts';
import { hashSpec } from '../runs/changes/create-run.ts';

const sizeSql = /* sql */ `
  SELECT CAST(coalesce(sum(pg_total_relation_size(oid)), 0) AS BIGINT) AS bytes,
    (SELECT version FROM schema_version) AS version, current_setting('server_version') AS release,
    (SELECT CAST(extract(epoch FROM backend_start) * 1000 AS BIGINT) FROM pg_stat_activity
      WHERE pid = pg_backend_pid()) AS connected_at
  FROM pg_class WHERE relkind = 'r' AND relnamespace = to_regnamespace(current_schema())`;

/** What PostgreSQL keeps for us. Space of removed rows is its own business, and is used again. */
export function readServerStorage(database: Database): Omit<StorageFacts, 'runs'> {
  const row = database.get<{ bytes: number; version: number; release: string; connected_at: number }>(
    sizeSql,
  )!;
  const { bytes, version, connected_at: connectedAt } = row;
  // Debian and others say more behind the number.
  const [release = ''] = row.release.split(' ');
  return { kind: 'postgres', release, connectedAt, bytes, freeBytes: 0, version };
}

const brokenIndexesSql = /* sql */ `
  SELECT relname AS name FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
  WHERE NOT (indisvalid AND indisready) AND relnamespace = to_regnamespace(current_schema())`;
const brokenPagesSql =
  'SELECT coalesce(checksum_failures, 0) AS failures FROM pg_stat_database WHERE datname = current_database()';

/**
 * Everything that is wrong with the database, as far as its server tells: indexes that are not complete, pages whose
 * checksums were wrong when they were read, and texts that differ from ours.
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
