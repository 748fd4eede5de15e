import { activeRunStatuses } from '../../model/run/status.ts';
import type { Database } from '../database/database.ts';
import { insertEvent } from '../events/events.ts';

const activeList = activeRunStatuses.map((status) => `'${status}'`).join(', ');
const ofActiveRuns = `run_key IN (SELECT key FROM run WHERE status IN (${activeList}))`;

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
    database.run(`UPDATE attempt SET ${end} WHERE finished_at IS NULL AND ${ofActiveRuns}`, at, reason);
    for (const table of ['step_item', 'step']) {
      const open = `status = 'running' AND ${ofActiveRuns}`;
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
