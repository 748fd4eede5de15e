import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError, formatFsError } from '../../base/errors.ts';
import { applicationId, newerDatabaseError } from './migrate.ts';
import { corruptDatabaseError, unusableDatabaseError } from './store-error.ts';

const headerBytes = 100;
const magic = Buffer.from('SQLite format 3\0', 'latin1');

/**
 * Checks a database file before SQLite opens it, so that a file that is damaged, newer or not ours stays unchanged;
 * creates an empty file, readable by its owner only, when there is none. Costs microseconds. Offsets:
 * https://www.sqlite.org/fileformat2.html section 1.3.
 *
 * Does nothing while the file is in use: closing any descriptor of a file releases all locks of this process on it, and
 * one of them may belong to a connection (https://www.sqlite.org/howtocorrupt.html 2.2).
 */
export function checkFile(file: string, knownVersion: number): void {
  if (existsSync(`${file}-shm`)) return;
  const descriptor = openOrCreate(file);
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) throw unusableDatabaseError(file, 'not a file');
    const walBytes = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    const header = Buffer.alloc(headerBytes);
    const read = readSync(descriptor, header, 0, headerBytes, 0);
    if (stat.size === 0 && walBytes === 0) return;
    if (read < headerBytes || !header.subarray(0, magic.length).equals(magic)) {
      throw corruptDatabaseError(file, 'missing SQLite header');
    }
    checkHeader(file, header, { bytes: stat.size, walBytes, knownVersion });
  } finally {
    closeSync(descriptor);
  }
}

function checkHeader(
  file: string,
  header: Buffer,
  info: { bytes: number; walBytes: number; knownVersion: number },
): void {
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  const pages = header.readUInt32BE(28);
  // With a write-ahead log, an interrupted checkpoint may have grown the count before the file.
  if (info.walBytes === 0 && pages * pageSize > info.bytes) {
    throw corruptDatabaseError(file, `the file is ${info.bytes} bytes instead of ${pages * pageSize}`);
  }
  const version = header.readUInt32BE(60);
  const application = header.readUInt32BE(68);
  if (version === 0 && application === 0) return;
  if (application !== applicationId)
    throw unusableDatabaseError(file, 'the file is a database of another program');
  if (version > info.knownVersion) throw newerDatabaseError(file, version, info.knownVersion);
}

function openOrCreate(file: string): number {
  try {
    return openSync(file, 'a+', 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EDQUOT') {
      throw new AppError(
        'storage_full',
        `Cannot create the database ${file}: the disk is full. Free some space.`,
      );
    }
    throw unusableDatabaseError(
      file,
      code === 'ENOENT' ? `folder ${dirname(file)} not found` : formatFsError(error),
      error,
    );
  }
}
