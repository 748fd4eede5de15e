import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { SyncedFiles } from './synced-files.ts';

/** PGlite's defaults without `-F`, which would disable fsync. */
const durable = [
  ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
  // The default, fdatasync, does nothing in PGlite.
  ...['-c', 'wal_sync_method=fsync'],
];

/**
 * A quarter of the default page cache, which the engine clears when it opens: a quarter of the startup time and 100 MB
 * less memory. Other pages come from the operating system's cache at the same speed.
 */
const cache = ['-c', 'shared_buffers=32MB'];

/** PostgreSQL keeps write-ahead log files for reuse. The default of one gigabyte exceeds most databases. */
const log = ['-c', 'max_wal_size=128MB', '-c', 'min_wal_size=32MB'];

/**
 * Files that a crashed engine leaves behind. A server removes temporary files at startup; single-user mode does not. A
 * lock file that was not flushed completely would prevent opening the database. Exclusive access has been ensured
 * before.
 */
const leftovers = ['base/pgsql_tmp', 'postmaster.pid'];

/** Removes group and other permissions from the relation cache files, which earlier versions left readable. */
function restrictPermissions(folder: string): void {
  const base = join(folder, 'base');
  const databases = existsSync(base) ? readdirSync(base).map((name) => join(base, name)) : [];
  for (const directory of [join(folder, 'global'), ...databases]) {
    const catalog = join(directory, 'pg_internal.init');
    if (existsSync(catalog)) chmodSync(catalog, 0o600);
  }
}

/**
 * Starts PostgreSQL in this thread, on a data directory that no other process uses.
 * @param sync flushes an open file to disk
 */
export async function startPostgres(folder: string, sync?: (descriptor: number) => void): Promise<PGlite> {
  for (const leftover of leftovers) rmSync(join(folder, leftover), { recursive: true, force: true });
  restrictPermissions(folder);
  return await PGlite.create({
    fs: new SyncedFiles(folder, sync),
    startParams: [...durable, ...cache, ...log],
  });
}
