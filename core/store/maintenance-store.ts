import { activeRunStatuses } from '../model/run.ts';
import type { MaintenanceStore } from './types/maintenance.ts';
import type { Database } from './database/database.ts';
import { SqliteDatabase } from './database/sqlite-database.ts';
import type { Operations } from './open-store.ts';
import { readLastEventId, insertEvent } from './events/events.ts';
import { countEarlierRuns } from './runs/run-statistics.ts';

/** Pages returned in one transaction; about 4 ms. */
const pagesAtOnce = 256;

/** Largest content of a database without `auto_vacuum` that is rewritten; about 0.3 s. */
const maxRewritten = 64 * 1024 * 1024;

/** `auto_vacuum` of a database that can return pages gradually. */
const incremental = 2;

/** Creates the `MaintenanceStore` of a connection. PostgreSQL maintains its files itself. */
export function createMaintenanceStore(database: Database): Operations<MaintenanceStore> {
  const both = {
    activity: () => `${readLastEventId(database)}.${database.dataVersion()}`,
    countEarlierRuns: () => countEarlierRuns(database),
  };
  if (!(database instanceof SqliteDatabase))
    return { ...both, freeBytes: () => 0, shrink: () => false, emptyLog: () => undefined };
  return {
    ...both,
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

const activeList = activeRunStatuses.map((status) => `'${status}'`).join(', ');
const whereRunIsActive = `run_key IN (SELECT key FROM run WHERE status IN (${activeList}))`;

/**
 * Ends all active runs in a copied database, because a copy must not run a step that the original runs too. Scheduled
 * times before `at` count as decided.
 * @param at epoch milliseconds
 * @param reason the error of these runs
 * @returns the number of ended runs
 */
export function endOpenRuns(database: Database, at: number, reason: string): number {
  return database.write(() => {
    const runs = database.all<{ key: number }>(`SELECT key FROM run WHERE status IN (${activeList})`);
    const end = `finished_at = ?, error = ?`;
    database.run(`UPDATE attempt SET ${end} WHERE finished_at IS NULL AND ${whereRunIsActive}`, at, reason);
    for (const table of ['step_item', 'step']) {
      const open = `status = 'running' AND ${whereRunIsActive}`;
      database.run(`UPDATE ${table} SET status = 'aborted', ${end} WHERE ${open}`, at, reason);
    }
    const event = {
      type: 'run.finished',
      status: 'aborted',
      error: reason,
      cause: 'engine',
      outputs: {},
    } as const;
    for (const { key } of runs) insertEvent(database, key, at, event);
    database.run(
      `UPDATE run SET status = 'aborted', cause = 'engine', ${end} WHERE status IN (${activeList})`,
      at,
      reason,
    );
    forgetHosts(database, at);
    return runs.length;
  });
}

function forgetHosts(database: Database, at: number): void {
  database.execute(/* sql */ `
    UPDATE run SET owner_host = NULL, owner_pid = NULL, owner_pid_start = NULL, owner_boot_id = NULL, owner_key = NULL
      WHERE owner_host IS NOT NULL OR owner_key IS NOT NULL;
    DELETE FROM queue_item;
    DELETE FROM queue_hold;
    DELETE FROM service_lease;
    DELETE FROM scheduler_instance;
    DELETE FROM host;`);
  database.run(
    "UPDATE schedule_slot SET outcome = 'failed', reason = 'the restart was under way' WHERE outcome = 'restarting'",
  );
  database.run('UPDATE schedule_watermark SET at = max(at, ?)', at);
}
