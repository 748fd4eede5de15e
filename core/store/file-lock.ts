import { closeSync, openSync } from 'node:fs';
import SqliteDatabase from 'better-sqlite3';
import type { Dispose } from '../base/clock.ts';
import { describeStoreError } from './database/store-error.ts';

/** How long one process waits for another's turn, milliseconds. */
const patienceMs = 5000;

/**
 * Runs `work` while no other process holds the same lock file. The lock is SQLite's, which the system releases when
 * its holder dies, whatever it dies of: no lock is ever stale. `work` is short; everybody else waits for it, blocking.
 * Throws `unavailable` after five seconds, `home_unusable` or `storage_full`.
 * @param file an empty file that stays; made when it is not there
 */
export function withFileLock<Result>(file: string, work: () => Result): Result {
  const connection = open(file);
  try {
    try {
      connection.exec('BEGIN EXCLUSIVE');
    } catch (thrown) {
      throw describeStoreError(thrown, file);
    }
    return work();
  } finally {
    // Ends the transaction, too; nothing was written in it.
    connection.close();
  }
}

/**
 * Takes a lock for as long as this process wants it, without waiting. Like that of {@link withFileLock}, it is never
 * stale. Throws `home_unusable` or `storage_full`.
 * @param file an empty file that stays; made when it is not there
 * @returns gives the lock back; undefined when another process holds it, or this one already does
 */
export function takeFileLock(file: string): Dispose | undefined {
  const connection = open(file, 0);
  try {
    connection.exec('BEGIN EXCLUSIVE');
  } catch (thrown) {
    connection.close();
    if ((thrown as NodeJS.ErrnoException).code === 'SQLITE_BUSY') return undefined;
    throw describeStoreError(thrown, file);
  }
  return () => connection.close();
}

function open(file: string, timeout = patienceMs): SqliteDatabase.Database {
  try {
    // SQLite would make it readable to others.
    closeSync(openSync(file, 'a', 0o600));
  } catch {
    // SQLite says it better.
  }
  try {
    return new SqliteDatabase(file, { timeout });
  } catch (thrown) {
    throw describeStoreError(thrown, file);
  }
}
