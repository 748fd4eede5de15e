import type { StoredVersion, NewVersion, VersionKind, VersionStore } from '../home/library/spec-versions.ts';
import type { Database } from './database/database.ts';
import type { Operations } from './open-store.ts';
import { hashSpec } from './runs/create-run.ts';

/** Default limits, per workflow and for all workflows together. */
const usualLimits: VersionLimits = { perDag: 200, totalBytes: 50 * 1024 * 1024 };

/** Creates the version store on an open connection. */
export const createVersionStore = (database: Database, limits = usualLimits): Operations<VersionStore> => ({
  // Checked before the transaction too, because most texts are known.
  add: (version) =>
    isNew(database, version)
      ? database.write(() => (isNew(database, version) ? addVersion(database, version, limits) : undefined))
      : undefined,
  list: (dag, before, limit) =>
    database
      .all<VersionRow>(
        `${selectVersion} WHERE dag = ? AND id < ? ORDER BY id DESC LIMIT ?`,
        dag,
        before ?? Number.MAX_SAFE_INTEGER,
        limit,
      )
      .map(toVersion),
  find: (id) => findVersionText(database, id),
  listLatest: () =>
    database
      .all<VersionRow>(
        `${selectVersion} WHERE id IN (SELECT max(id) FROM version GROUP BY dag) ORDER BY id DESC`,
      )
      .map(toVersion),
});

interface VersionRow {
  readonly id: number;
  readonly dag: string;
  readonly kind: VersionKind;
  readonly at: number;
  readonly by: string | null;
  readonly renamed_from: string | null;
  readonly restored_from: number | null;
  readonly sha256: string;
  readonly bytes: number;
  readonly text?: string;
}

const columns = 'id, dag, kind, at, by, renamed_from, restored_from, sha256, bytes';
const joined = 'FROM version JOIN version_text ON version_text.key = version.text_key';
const selectVersion = `SELECT ${columns} ${joined}`;

const toVersion = (row: VersionRow): StoredVersion => ({
  id: row.id,
  dag: row.dag,
  kind: row.kind,
  hash: row.sha256,
  bytes: row.bytes,
  at: row.at,
  by: row.by ?? undefined,
  renamedFrom: row.renamed_from ?? undefined,
  restoredFrom: row.restored_from ?? undefined,
});

function readOne(database: Database, selection: string, value: string | number): StoredVersion | undefined {
  const row = database.get<VersionRow>(`${selectVersion} ${selection}`, value);
  return row && toVersion(row);
}

function findVersionText(
  database: Database,
  id: number,
): (StoredVersion & Pick<NewVersion, 'text'>) | undefined {
  const row = database.get<VersionRow & { text: string }>(
    `SELECT ${columns}, text ${joined} WHERE id = ?`,
    id,
  );
  if (row === undefined) return undefined;
  if (hashSpec(row.text) !== row.sha256)
    throw database.toDamageError('checksum mismatch in a stored version of a workflow');
  return { ...toVersion(row), text: row.text };
}

function isNew(database: Database, { dag, kind, hash }: NewVersion): boolean {
  if (kind === 'renamed' || kind === 'deleted') return true;
  const newest = readOne(database, 'WHERE dag = ? ORDER BY id DESC LIMIT 1', dag);
  return newest?.hash !== hash || newest.kind === 'deleted';
}

function addVersion(database: Database, version: NewVersion, limits: VersionLimits): StoredVersion {
  const { dag, kind, at, by, renamedFrom, restoredFrom } = version;
  if (renamedFrom !== undefined) database.run('UPDATE version SET dag = ? WHERE dag = ?', dag, renamedFrom);
  const { key: id } = database.run(
    /* sql */ `
    INSERT INTO version (dag, kind, at, by, renamed_from, restored_from, text_key) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    dag,
    kind,
    at,
    by ?? null,
    renamedFrom ?? null,
    restoredFrom ?? null,
    saveText(database, version),
  );
  trimVersions(database, dag, limits);
  return readOne(database, 'WHERE id = ?', id)!;
}

/** Returns the key of the stored version, storing it when it is new. */
function saveText(database: Database, { text, hash }: NewVersion): number {
  const known = database.get<{ key: number }>('SELECT key FROM version_text WHERE sha256 = ?', hash);
  if (known !== undefined) return known.key;
  const bytes = Buffer.byteLength(text);
  return database.run('INSERT INTO version_text (sha256, bytes, text) VALUES (?, ?, ?)', hash, bytes, text)
    .key;
}

/** How many versions of workflow files are stored. */
interface VersionLimits {
  /** Versions of one workflow. */
  readonly perDag: number;
  /** Bytes of all versions as UTF-8. */
  readonly totalBytes: number;
}

/**
 * Removes the oldest versions over the limits. The newest version of a workflow is only removed when no others are
 * left, and the last added one never.
 */
function trimVersions(database: Database, dag: string, limits: VersionLimits): void {
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
const oldestVersionSql = /* sql */ `
  SELECT id FROM version WHERE id < (SELECT max(id) FROM version) ORDER BY id LIMIT 1`;

const findOldest = (database: Database): number | undefined =>
  (database.get<{ id: number }>(oldestSql) ?? database.get<{ id: number }>(oldestVersionSql))?.id;

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
