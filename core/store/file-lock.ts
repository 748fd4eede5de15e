import { closeSync, openSync } from 'node:fs';
import SqliteDatabase from 'better-sqlite3';
import type { Dispose } from '../base/clock.ts';
import { toSqliteError } from './database/store-error.ts';

/** How long to wait for another process, in milliseconds. */
const timeoutMs = 5000;

/**
 * Runs `work` while no other process holds the same lock file. It is an SQLite lock, which the system releases when its
 * holder dies for any reason: no lock is ever stale. `work` must be short, because others block meanwhile.
 * @param file an empty file that stays; created when it is missing
 * @throws `unavailable` after five seconds, `home_unusable` or `storage_full`
 */
export function withFileLock<Result>(file: string, work: () => Result): Result {
  const connection = open(file);
  try {
    try {
      connection.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      throw toSqliteError(error, file);
    }
    return work();
  } finally {
    // This ends the transaction too; nothing was written in it.
    connection.close();
  }
}

/**
 * Takes a lock, without waiting, until it is released. Like that of {@link withFileLock}, it is never stale.
 * @param file an empty file that stays; created when it is missing
 * @returns releases the lock; undefined when another process, or this one, already holds it
 * @throws `home_unusable` or `storage_full`
 */
export function takeFileLock(file: string): Dispose | undefined {
  const connection = open(file, 0);
  try {
    connection.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    connection.close();
    if ((error as NodeJS.ErrnoException).code === 'SQLITE_BUSY') return undefined;
    throw toSqliteError(error, file);
  }
  return () => connection.close();
}

function open(file: string, timeout = timeoutMs): SqliteDatabase.Database {
  try {
    // SQLite would make it readable to others.
    closeSync(openSync(file, 'a', 0o600));
  } catch {
    // SQLite reports the error better.
  }
  try {
    return new SqliteDatabase(file, { timeout });
  } catch (error) {
    throw toSqliteError(error, file);
  }
}
