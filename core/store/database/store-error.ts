import SqliteDatabase from 'better-sqlite3';
import { AppError } from '../../base/errors.ts';
import type { Database } from './database.ts';
import { findLockHolder } from './lock-holder.ts';

/** Creates the error for a damaged database. */
export const corruptDatabaseError = (file: string, finding: string, cause?: unknown): AppError =>
  new AppError(
    'database_corrupt',
    `The database ${file} is damaged: ${finding}. ` +
      'Close the app and all servers of this home, then run "engine restore BACKUP --force", or "engine salvage" without a backup.',
    { details: { file, finding }, cause },
  );

/** Creates the error for a file that is not, or cannot be, a database of ours. */
export const unusableDatabaseError = (file: string, reason: string, cause?: unknown): AppError =>
  new AppError(
    'home_unusable',
    `Cannot use the database ${file}: ${reason}. Fix the problem, or use another home.`,
    {
      details: { file },
      cause,
    },
  );

/** Converts an error of SQLite to an application error that says what to do; returns anything else unchanged. */
export function describeStoreError(error: unknown, file: string): unknown {
  if (error instanceof SyntaxError)
    return corruptDatabaseError(file, `a stored value is not JSON (${error.message})`, error);
  if (!(error instanceof SqliteDatabase.SqliteError)) return error;
  const { code, message } = error;
  const toStoreError = (failure: 'storage_full' | 'home_unusable' | 'unavailable', text: string): AppError =>
    new AppError(failure, text, { details: { file, sqlite: code }, cause: error });
  if (/^SQLITE_(CORRUPT|NOTADB|IOERR_CORRUPTFS)/.test(code))
    return corruptDatabaseError(file, message, error);
  if (/^SQLITE_(FULL|IOERR_(WRITE|FSYNC|DIR_FSYNC|TRUNCATE|SHMSIZE|SHMOPEN|SHMMAP))/.test(code)) {
    return toStoreError(
      'storage_full',
      `Cannot write to the database ${file} (${message}). Free some space on the disk.`,
    );
  }
  if (/^SQLITE_(READONLY|CANTOPEN|PERM|AUTH)/.test(code)) {
    return toStoreError(
      'home_unusable',
      `Cannot open the database ${file} for writing (${message}). ` +
        'Check that the folder exists and that you have permission to write to it.',
    );
  }
  if (code.startsWith('SQLITE_IOERR')) {
    return toStoreError('home_unusable', `Disk error in the database ${file} (${message}). Check the disk.`);
  }
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) {
    return toStoreError('unavailable', describeLock(file));
  }
  return error;
}

/** Describes which process blocks writing, when that is known, and the solution. */
function describeLock(file: string): string {
  const holder = findLockHolder(file);
  if (holder === undefined || holder.pid === process.pid)
    return `The database ${file} was locked by another process for too long. Try again.`;
  const { pid, kind, isHalted } = holder;
  const name = kind === undefined ? `Process ${pid}` : `Process ${pid} (${hostLabels[kind] ?? kind})`;
  const lockText = `${name} locked the database ${file} for too long.`;
  if (!isHalted) return `${lockText} Try again, or end that process.`;
  return `${lockText} The process is suspended: resume it ("kill -CONT ${pid}") or end it ("kill -KILL ${pid}"), then try again.`;
}

/** Display names of the kinds of hosts. */
const hostLabels: Readonly<Record<string, string>> = {
  cli: 'an engine command',
  desktop: 'the desktop app',
  server: 'engine server',
  scheduler: 'engine scheduler',
};

/** Returns the same operations, which throw application errors instead of the driver's. */
export function withStoreErrors<Operations extends object>(
  operations: Operations,
  database: Pick<Database, 'describeError'>,
): Operations {
  const guarded = Object.entries(operations).map(
    ([name, operation]: [string, (...values: unknown[]) => unknown]) => [
      name,
      (...values: unknown[]) => {
        try {
          return operation(...values);
        } catch (error) {
          throw database.describeError(error);
        }
      },
    ],
  );
  return Object.fromEntries(guarded) as Operations;
}
