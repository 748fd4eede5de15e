import { AppError } from '../../../base/errors.ts';
import { exactRunNotFoundError } from '../../../base/missing-run.ts';
import type { RunOwner, RunRef } from '../../../model/run/run.ts';
import { isFinal, type RunStatus } from '../../../model/run/status.ts';
import type { Database } from '../../database/database.ts';
import { insertEvent } from '../../events/events.ts';
import { takeOut } from '../../queue/dequeue.ts';
import { findRunKey } from '../find-run.ts';
import { recordStopRequest } from './record-stop-request.ts';
import { type RunRow, toOwner } from '../rows.ts';

type OwnedRow = Pick<
  RunRow,
  'status' | 'epoch' | 'owner_host' | 'owner_pid' | 'owner_pid_start' | 'owner_boot_id'
>;

/** The state that decides who may write to a run. */
export interface Ownership {
  readonly status: RunStatus;
  readonly epoch: number;
  readonly owner: RunOwner | undefined;
}

export const ownershipSql = /* sql */ `
  SELECT status, epoch, owner_host, owner_pid, owner_pid_start, owner_boot_id FROM run WHERE key = ?`;

/** Returns who owns a run now; undefined when there is no such run. */
export function readOwnership(database: Database, runKey: number): Ownership | undefined {
  const row = database.get<OwnedRow>(ownershipSql, runKey);
  return row === undefined ? undefined : { status: row.status, epoch: row.epoch, owner: toOwner(row) };
}

/** Returns who owns each of several runs now, by key; unknown runs are left out. @param runKeys at least one */
export function readOwnerships(database: Database, runKeys: readonly number[]): Map<number, Ownership> {
  // Repeats the last key up to a power of two, so that there are few different prepared statements.
  const count = 2 ** Math.ceil(Math.log2(runKeys.length));
  const keys = Array.from({ length: count }, (_, index) => runKeys[index] ?? runKeys.at(-1)!);
  const placeholders = keys.map(() => '?').join(', ');
  const rows = database.all<OwnedRow & Pick<RunRow, 'key'>>(
    `SELECT key, status, epoch, owner_host, owner_pid, owner_pid_start, owner_boot_id FROM run WHERE key IN (${placeholders})`,
    ...keys,
  );
  return new Map(rows.map((row) => [row.key, { status: row.status, epoch: row.epoch, owner: toOwner(row) }]));
}

/** A request to end a run. */
interface StopRequest {
  readonly by: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Whether to kill its processes. */
  readonly force?: boolean | undefined;
}

/**
 * Implements `RunStore.requestStop`. The first request counts; later ones change nothing and are not recorded, unless
 * they use force. A run that waits in a queue ends.
 */
export function requestStop(database: Database, ref: RunRef, { by, at, force }: StopRequest): void {
  database.write(() => {
    const key = findRunKey(database, ref);
    const run = key === undefined ? undefined : readOwnership(database, key);
    if (key === undefined || run === undefined) {
      throw exactRunNotFoundError(ref);
    }
    if (isFinal(run.status)) {
      throw new AppError('not_running', `Run ${ref.name}/${ref.dagRunId} has already ended (${run.status}).`);
    }
    if (force === true && run.status !== 'queued') {
      recordStopRequest(database, key, by);
      insertEvent(database, key, at, { type: 'run.stop_requested', by, force });
    } else stopRun(database, key, by, at);
  });
}

/** Stops a run that is known to be active. Only inside a write transaction. */
export function stopRun(database: Database, runKey: number, by: string, at: number): void {
  const run = readOwnership(database, runKey);
  if (run?.status === 'queued' && run.owner === undefined) takeOut(database, runKey, by, at);
  else if (recordStopRequest(database, runKey, by))
    insertEvent(database, runKey, at, { type: 'run.stop_requested', by });
}
