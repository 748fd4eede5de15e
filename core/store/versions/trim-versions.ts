import type { Database } from '../database/database.ts';

/** How many versions of workflow files are stored. */
export interface VersionLimits {
  /** Versions of one workflow. */
  readonly perDag: number;
  /** Bytes of all versions as UTF-8. */
  readonly totalBytes: number;
}

/**
 * Removes the oldest versions over the limits. The newest version of a workflow is only removed when no others are
 * left, and the last added one never.
 */
export function trimVersions(database: Database, dag: string, limits: VersionLimits): void {
  const excess = database.all<{ id: number }>(
    'SELECT id FROM version WHERE dag = ? ORDER BY id DESC LIMIT ? OFFSET ?',
    dag,
    Number.MAX_SAFE_INTEGER,
    limits.perDag,
  );
  for (const { id } of excess) removeVersion(database, id);
  while (sumBytes(database) > limits.totalBytes) {
    const id = findOldest(database);
    if (id === undefined) return;
    removeVersion(database, id);
  }
}

const sumBytes = (database: Database): number =>
  database.get<{ sum: number | null }>('SELECT sum(bytes) AS sum FROM version_text')?.sum ?? 0;

const oldestSql = /* sql */ `
  SELECT id FROM version WHERE id NOT IN (SELECT max(id) FROM version GROUP BY dag) ORDER BY id LIMIT 1`;
const oldestOfAllSql = /* sql */ `
  SELECT id FROM version WHERE id < (SELECT max(id) FROM version) ORDER BY id LIMIT 1`;

const findOldest = (database: Database): number | undefined =>
  (database.get<{ id: number }>(oldestSql) ?? database.get<{ id: number }>(oldestOfAllSql))?.id;

function removeVersion(database: Database, id: number): void {
  const { text_key: key } = database.get<{ text_key: number }>(
    'SELECT text_key FROM version WHERE id = ?',
    id,
  )!;
  database.run('DELETE FROM version WHERE id = ?', id);
  database.run(
    'DELETE FROM version_text WHERE key = ? AND NOT EXISTS (SELECT 1 FROM version WHERE text_key = ?)',
    key,
    key,
  );
}
