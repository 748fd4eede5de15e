import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { AppError } from '../../base/errors.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import type { Migration } from './migrations/migrations.ts';
import { unusableDatabase } from './store-error.ts';

/** "SWRT": tells our files from other programs' databases. */
export const applicationId = 0x53575254;

/** The refusal for a file of a later release. */
export const newerDatabase = (file: string, found: number, known: number): AppError =>
  new AppError(
    'database_newer',
    `The database ${file} was written by a newer release (schema ${found}, supported up to ${known}). ` +
      'Update Stepwright, or use another home.',
    { details: { file, found, known } },
  );

/**
 * Brings the schema up to date in one transaction. Before an existing database changes, a copy of it
 * is left beside it as `<file>.schema-<version>.bak`, so that the release before can be gone back to.
 */
export function migrate(database: SqliteDatabase, migrations: readonly Migration[]): void {
  const target = migrations.at(-1)?.version ?? 0;
  const found = database.pragma('user_version');
  if (found === target) return;
  if (found > target) throw newerDatabase(database.file, found, target);
  const copy = found > 0 && database.file !== ':memory:' ? copyBeside(database, found) : undefined;
  const applied = database.write(() => applyFrom(database, migrations, target));
  // Another process was quicker: the copy may be of what it made.
  if (copy !== undefined && !applied) rmSync(copy.file);
  else if (copy !== undefined) renameSync(copy.file, copy.finalFile);
}

/** Whether there was anything left to do once the write lock was held. */
function applyFrom(database: SqliteDatabase, migrations: readonly Migration[], target: number): boolean {
  const version = database.pragma('user_version');
  if (version > target) throw newerDatabase(database.file, version, target);
  if (version === 0 && database.all('SELECT name FROM sqlite_schema LIMIT 1').length > 0) {
    throw unusableDatabase(database.file, 'the file is a database of another program');
  }
  const missing = migrations.filter((migration) => migration.version > version);
  for (const migration of missing) database.execute(migration.sql);
  if (missing.length === 0) return false;
  database.execute(`PRAGMA user_version = ${target}; PRAGMA application_id = ${applicationId}`);
  return true;
}

function copyBeside(database: SqliteDatabase, version: number): { file: string; finalFile: string } {
  const finalFile = `${database.file}.schema-${version}.bak`;
  const file = `${finalFile}.${process.pid}`;
  rmSync(file, { force: true });
  database.run('VACUUM INTO ?', file);
  const descriptor = openSync(file, 'r+');
  fsyncSync(descriptor);
  closeSync(descriptor);
  return { file, finalFile };
}
