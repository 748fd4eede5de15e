import { readFileSync, statSync } from 'node:fs';
import SqliteDatabase from 'better-sqlite3';
import Sqlite from 'better-sqlite3';
import { AppError } from '../../base/errors.ts';

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

/** Converts an error of SQLite to an application error with a solution; returns anything else unchanged. */
export function toSqliteError(error: unknown, file: string): unknown {
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
    return toStoreError('unavailable', explainLock(file));
  }
  return error;
}

/** Describes which process blocks writing, when that is known, and the solution. */
function explainLock(file: string): string {
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

/** A process that keeps others from writing to a database. */
export interface LockHolder {
  readonly pid: number;
  /** Kind of host, when it is registered in the home. */
  readonly kind?: string;
  /** Whether it was stopped by a signal or a debugger, so that it will not continue without help. */
  readonly isHalted: boolean;
}

/** Offset of the write lock in the shared-memory file (https://www.sqlite.org/walformat.html 2.3.1). */
const writeLock = 120;

/**
 * Finds the holder of a database's write lock. Returns undefined when the lock is free, and on systems other than
 * Linux, which do not provide it.
 */
function findLockHolder(file: string): LockHolder | undefined {
  try {
    const { dev, ino } = statSync(`${file}-shm`);
    const pid = findPid(readFileSync('/proc/locks', 'utf8'), `${deviceText(dev)}:${ino}`);
    return pid === undefined ? undefined : { pid, ...findKind(file, pid), isHalted: isProcessHalted(pid) };
  } catch {
    return undefined;
  }
}

/**
 * Parses `1: POSIX ADVISORY WRITE 812 08:01:1234 120 120`; device numbers are hexadecimal. A process of another
 * namespace has no pid here.
 */
function findPid(table: string, deviceInode: string): number | undefined {
  for (const line of table.split('\n')) {
    const [, , , kind, pid, at, first, last] = line.trim().split(/\s+/);
    if (kind !== 'WRITE' || at !== deviceInode || Number(first) > writeLock) continue;
    if (last !== 'EOF' && Number(last) < writeLock) continue;
    if (Number(pid) > 0) return Number(pid);
  }
  return undefined;
}

/** Formats a device as the kernel prints it: `MAJOR:MINOR`. */
function deviceText(dev: number): string {
  const number = BigInt(dev);
  const major = ((number >> 8n) & 0xfffn) | ((number >> 32n) & ~0xfffn);
  const minor = (number & 0xffn) | ((number >> 12n) & ~0xffn);
  return [major, minor].map((part) => part.toString(16).padStart(2, '0')).join(':');
}

/** Readers do not wait for writers, so the host table can be read. */
function findKind(file: string, pid: number): { kind?: string } {
  let database: Sqlite.Database | undefined;
  try {
    database = new Sqlite(file, { timeout: 0 });
    const row = database
      .prepare<[number], { kind: string }>(
        'SELECT kind FROM host WHERE pid = ? ORDER BY beat_at DESC LIMIT 1',
      )
      .get(pid);
    return row === undefined ? {} : { kind: row.kind };
  } catch {
    return {};
  } finally {
    database?.close();
  }
}

function isProcessHalted(pid: number): boolean {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return /^[Tt]/.test(stat.slice(stat.lastIndexOf(')') + 2));
}
