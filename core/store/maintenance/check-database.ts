import { existsSync } from 'node:fs';
import { AppError } from '../../base/errors.ts';
import { checkFile } from '../database/check-file.ts';
import { SqliteDatabase } from '../database/sqlite-database.ts';
import { describeStoreError } from '../database/store-error.ts';
import { hashSpec } from '../runs/changes/create-run.ts';
import { knownSchema } from './copy-database.ts';

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
    const failure = describeStoreError(error, file);
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
