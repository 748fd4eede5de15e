import type { MaintenanceStore } from '../../maintenance/ports.ts';
import type { Database } from '../database/database.ts';
import { SqliteDatabase } from '../database/sqlite-database.ts';
import { readLastEventId } from '../events/events.ts';

/** Pages returned in one transaction; about 4 ms. */
const pagesAtOnce = 256;

/** Largest content of a database without `auto_vacuum` that is rewritten; about 0.3 s. */
const maxRewritten = 64 * 1024 * 1024;

/** `auto_vacuum` of a database that can return pages gradually. */
const incremental = 2;

/** Creates the `MaintenanceStore` of a connection. PostgreSQL maintains its files itself. */
export function createMaintenanceStore(database: Database): MaintenanceStore {
  const activity = (): string => `${readLastEventId(database)}.${database.dataVersion()}`;
  if (!(database instanceof SqliteDatabase))
    return { activity, freeBytes: () => 0, shrink: () => false, emptyLog: () => undefined };
  return {
    activity,
    freeBytes: () => database.pragma('freelist_count') * database.pragma('page_size'),
    shrink: () => shrink(database),
    emptyLog: () => void database.withoutWaiting(() => database.execute('PRAGMA wal_checkpoint(TRUNCATE)')),
  };
}

function shrink(database: SqliteDatabase): boolean {
  const free = database.pragma('freelist_count');
  if (free === 0) return false;
  if (database.pragma('auto_vacuum') === incremental) {
    return database.withoutWaiting(() => database.execute(`PRAGMA incremental_vacuum(${pagesAtOnce})`));
  }
  const content = (database.pragma('page_count') - free) * database.pragma('page_size');
  if (content > maxRewritten) return false;
  return database.withoutWaiting(() => database.execute(`PRAGMA auto_vacuum = ${incremental}; VACUUM`));
}
