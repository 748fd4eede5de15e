import { readFileSync, statSync } from 'node:fs';
import Sqlite from 'better-sqlite3';

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
export function findLockHolder(file: string): LockHolder | undefined {
  try {
    const { dev, ino } = statSync(`${file}-shm`);
    const pid = findPid(readFileSync('/proc/locks', 'utf8'), `${deviceText(dev)}:${ino}`);
    return pid === undefined ? undefined : { pid, ...findKind(file, pid), isHalted: isHalted(pid) };
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

function isHalted(pid: number): boolean {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return /^[Tt]/.test(stat.slice(stat.lastIndexOf(')') + 2));
}
