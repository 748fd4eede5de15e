import { closeSync, fsyncSync, openSync } from 'node:fs';
import { checkFile } from '../database/check-file.ts';
import { SqliteDatabase } from '../database/sqlite-database.ts';
import { migrations } from '../database/migrations/migrations.ts';
import { describeStoreError } from '../database/store-error.ts';

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
    throw describeStoreError(error, file);
  } finally {
    database?.close();
  }
}
