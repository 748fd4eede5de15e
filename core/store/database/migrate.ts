import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { AppError } from '../../base/errors.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import type { Migration } from './migrations/migrations.ts';
import { unusableDatabaseError } from './store-error.ts';

/** "SWRT": identifies our files among other programs' databases. */
export const applicationId = 0x53575254;

/** Creates the error for a file of a later release. */
export const newerDatabaseError = (file: string, current: number, known: number): AppError =>
  new AppError(
    'database_newer',
    `The database ${file} was written by a newer release (schema ${current}, supported up to ${known}). ` +
      'Update Stepwright, or use another home.',
    { details: { file, found: current, known } },
  );

/**
 * Migrates the schema to the current version in one transaction. Before an existing database changes, a copy is saved
 * next to it as `<file>.schema-<version>.bak`, so that a downgrade is possible.
 */
export function migrate(database: SqliteDatabase, migrations: readonly Migration[]): void {
  const target = migrations.at(-1)?.version ?? 0;
  const current = database.pragma('user_version');
  if (current === target) return;
  if (current > target) throw newerDatabaseError(database.file, current, target);
  const copy = current > 0 && database.file !== ':memory:' ? copyBeside(database, current) : undefined;
  const applied = database.write(() => applyFrom(database, migrations, target));
  // Another process was faster: the copy may contain its changes.
  if (copy !== undefined && !applied) rmSync(copy.file);
  else if (copy !== undefined) renameSync(copy.file, copy.finalFile);
}

/** Applies the migrations under the write lock; returns whether any was pending. */
function applyFrom(database: SqliteDatabase, migrations: readonly Migration[], target: number): boolean {
  const version = database.pragma('user_version');
  if (version > target) throw newerDatabaseError(database.file, version, target);
  if (version === 0 && database.all('SELECT name FROM sqlite_schema LIMIT 1').length > 0) {
    throw unusableDatabaseError(database.file, 'the file is a database of another program');
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
