import { existsSync, statSync, closeSync, fsyncSync, openSync } from 'node:fs';
import { AppError } from '../base/errors.ts';
import { checkFile } from './database/check-file.ts';
import { SqliteDatabase } from './database/sqlite-database.ts';
import { toSqliteError, corruptDatabaseError } from './database/store-error.ts';
import { hashSpec } from './runs/create-run.ts';
import { migrations } from './database/migrate.ts';

/** Most findings of one kind; a file with thousands is described by its first ones. */
const maxFindings = 50;

/**
 * Returns all errors of a database as sentences: in its pages, its indexes, references between rows, the checksums of
 * stored sources. Empty for a healthy or missing database. Reads the whole file, at some 500 MB per second, and changes
 * nothing.
 * @throws `database_newer` or `home_unusable`
 */
export function checkDatabase(file: string): string[] {
  if (!existsSync(file)) return [];
  try {
    checkFile(file, knownSchema);
    return inspect(file);
  } catch (error) {
    const failure = toSqliteError(error, file);
    const finding = failure instanceof AppError ? failure.details?.['finding'] : undefined;
    if (typeof finding !== 'string') throw failure;
    return [finding];
  }
}

function inspect(file: string): string[] {
  const database = new SqliteDatabase(file);
  try {
    database.configure();
    return database.read(() => [
      ...checkPages(database, 'integrity_check'),
      ...database
        .all<{ table: string; parent: string }>('PRAGMA foreign_key_check')
        .slice(0, maxFindings)
        .map(({ table, parent }) => `a row in ${table} refers to a missing row in ${parent}`),
      ...checkTexts(database),
    ]);
  } finally {
    database.close();
  }
}

/**
 * Returns the findings of SQLite's own check.
 * @param check `quick_check` does not compare indexes with tables
 */
export function checkPages(database: SqliteDatabase, check: 'integrity_check' | 'quick_check'): string[] {
  return database
    .all<Record<string, string>>(`PRAGMA ${check}(${maxFindings})`)
    .flatMap((row) => Object.values(row))
    .filter((finding) => finding !== 'ok');
}

function checkTexts(database: SqliteDatabase): string[] {
  return database
    .all<{ key: number; sha256: string; text: string }>('SELECT key, sha256, text FROM spec')
    .filter(({ text, sha256 }) => hashSpec(text) !== sha256)
    .map(({ key }) => `checksum mismatch in stored workflow ${key}`);
}

/** Larger files are only checked by `engine check`: this size takes some 0.2 s. */
const maxBytes = 64 * 1024 * 1024;

/** Whether a write-ahead log is next to a database: it is in use, or was not closed properly. */
export const hasLog = (file: string): boolean =>
  (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;

/**
 * Checks a small file, without its indexes.
 * @throws `database_corrupt` when it is damaged
 */
export function checkIfSmall(database: SqliteDatabase): void {
  if (database.pragma('page_count') * database.pragma('page_size') > maxBytes) return;
  const [finding] = checkPages(database, 'quick_check');
  if (finding !== undefined) throw corruptDatabaseError(database.file, finding);
}

/** The schema version of this release; files with a later one cannot be read. */
export const knownSchema = migrations.at(-1)!.version;

/**
 * Writes a copy of a database as it is now, even while it is in use: without free space, complete in one file that only
 * its owner can read, and synced to disk.
 * @param target must not exist
 * @returns the schema version of both
 */
export function copyDatabase(file: string, target: string): number {
  checkFile(file, knownSchema);
  let database: SqliteDatabase | undefined;
  try {
    closeSync(openSync(target, 'wx', 0o600));
    database = new SqliteDatabase(file);
    database.configure();
    database.run('VACUUM INTO ?', target);
    const descriptor = openSync(target, 'r+');
    fsyncSync(descriptor);
    closeSync(descriptor);
    return database.pragma('user_version');
  } catch (error) {
    throw toSqliteError(error, file);
  } finally {
    database?.close();
  }
}
