import type { RunOwner } from '../../model/run.ts';
import type { Database } from '../database/database.ts';
import { ensureHost, hostId } from '../hosts.ts';

/** Assigns a run to a host and returns the new epoch. Only inside the transaction that has read the run's epoch. */
export function setOwner(
  database: Database,
  { key, epoch }: { readonly key: number; readonly epoch: number },
  owner: RunOwner,
  at: number,
): number {
  database.run(
    /* sql */ `
    UPDATE run SET epoch = ?, owner_host = ?, owner_pid = ?, owner_pid_start = ?, owner_boot_id = ?, owner_key = ?
    WHERE key = ?`,
    epoch + 1,
    owner.host,
    owner.pid,
    owner.pidStart,
    owner.bootId,
    // Several runs may be claimed at once.
    database.readOnce(`host ${hostId(owner)}`, () => ensureHost(database, owner, at)),
    key,
  );
  return epoch + 1;
}

/** Records a request to stop the run; returns whether it is the first one. */
export const recordStopRequest = (database: Database, runKey: number, by: string): boolean =>
  database.run('UPDATE run SET stop_requested_by = ? WHERE key = ? AND stop_requested_by IS NULL', by, runKey)
    .changes === 1;
