import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { SyncedFiles } from './synced-files.ts';

/** PGlite's own, but for `-F`, by which PostgreSQL would leave it to the system when to write to the disk. */
const durable = [
  ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
  // By its usual way, fdatasync, nothing is done in PGlite.
  ...['-c', 'wal_sync_method=fsync'],
];

/**
 * A quarter of the usual cache of pages, which the engine clears whole when it opens: a quarter less time and 100 MB less
 * memory. What lies beyond it comes from the system's cache, in the same time.
 */
const cache = ['-c', 'shared_buffers=32MB'];

/** Files of the write-ahead log are kept for what comes next, the usual gigabyte of them is more than most databases are. */
const log = ['-c', 'max_wal_size=128MB', '-c', 'min_wal_size=32MB'];

/**
 * What ended engines leave. Temporary files a server removes as it starts; a single process, which this is, leaves them
 * for ever. A lock whose text did not reach the disk keeps everybody from opening the database; that nobody else has it
 * open is seen to before.
 */
const leftovers = ['base/pgsql_tmp', 'postmaster.pid'];

/** A cache of the catalog, in each database; earlier versions made it readable for others. */
function makePrivate(folder: string): void {
  const base = join(folder, 'base');
  const databases = existsSync(base) ? readdirSync(base).map((name) => join(base, name)) : [];
  for (const place of [join(folder, 'global'), ...databases]) {
    const catalog = join(place, 'pg_internal.init');
    if (existsSync(catalog)) chmodSync(catalog, 0o600);
  }
}

/**
 * PostgreSQL in this thread, on a data directory that nobody else uses.
 * @param sync has an open file written to the disk
 */
export async function startPostgres(folder: string, sync?: (descriptor: number) => void): Promise<PGlite> {
  for (const leftover of leftovers) rmSync(join(folder, leftover), { recursive: true, force: true });
  makePrivate(folder);
  return await PGlite.create({
    fs: new SyncedFiles(folder, sync),
    startParams: [...durable, ...cache, ...log],
  });
}
