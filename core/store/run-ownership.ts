import { AppError, exactRunNotFoundError } from '../base/errors.ts';
import { type RunOwner, type RunRef, isFinal, type RunStatus, type RunRecord } from '../model/run.ts';
import { placeholdersFor, type Database, type Statement } from './database/database.ts';
import { insertEvent } from './events/events.ts';
import { channelsSql } from './notifications/notify-event.ts';
import { listenersSql } from './webhooks/events.ts';
import { abortQueuedRun } from './queue-changes.ts';
import type { RecoveryClaim } from './types/hosts.ts';
import { findRunKey, type RunRow, toOwner, readRun } from './run-rows.ts';
import { recordStopRequest, setOwner } from './hosts.ts';

type OwnedRow = Pick<
  RunRow,
  'status' | 'epoch' | 'owner_host' | 'owner_pid' | 'owner_pid_start' | 'owner_boot_id'
>;

/** The state that determines which host can write to a run. */
export interface Ownership {
  readonly status: RunStatus;
  readonly epoch: number;
  readonly owner: RunOwner | undefined;
}

export const ownershipSql = /* sql */ `
  SELECT status, epoch, owner_host, owner_pid, owner_pid_start, owner_boot_id FROM run WHERE key = ?`;

/** Returns the current owner of a run; undefined when there is no such run. */
export function readOwnership(database: Database, runKey: number): Ownership | undefined {
  const row = database.get<OwnedRow>(ownershipSql, runKey);
  return row === undefined ? undefined : { status: row.status, epoch: row.epoch, owner: toOwner(row) };
}

/** Repeats the last element up to a power of two, so that there are few different prepared statements. */
const padded = <Element>(list: readonly Element[]): Element[] =>
  Array.from({ length: 2 ** Math.ceil(Math.log2(list.length)) }, (_, index) => list[index] ?? list.at(-1)!);

/**
 * Reads the current owners of several runs, by key, with the next statement, and locks the runs; unknown runs are left
 * out.
 * @param runKeys at least one
 */
export function deferOwnerships(
  database: Database,
  runKeys: readonly number[],
): () => ReadonlyMap<number, Ownership> {
  const keys = padded(runKeys);
  const rows = database.defer<OwnedRow & Pick<RunRow, 'key'>>(
    `SELECT key, status, epoch, owner_host, owner_pid, owner_pid_start, owner_boot_id FROM run
    WHERE key IN (${placeholdersFor(keys)}) ORDER BY key /* FOR UPDATE */`,
    ...keys,
  );
  return () =>
    new Map(
      rows().map((row) => [row.key, { status: row.status, epoch: row.epoch, owner: toOwner(row) }] as const),
    );
}

/**
 * Returns a condition for `writeIf`, which locks the runs: they are owned, with this epoch and status, and there is
 * neither a webhook nor a channel to tell.
 * @param runs at least one
 */
export function unchangedRuns(
  runs: readonly { readonly key: number; readonly epoch: number; readonly status: RunStatus }[],
): Statement {
  const all = padded(runs);
  const sql = /* sql */ `
    SELECT count(*) AS unchanged FROM (
      SELECT key FROM run WHERE owner_host IS NOT NULL AND (key, epoch, status) IN (VALUES ${all.map(() => '(CAST(? AS bigint), CAST(? AS bigint), ?)').join(', ')})
      ORDER BY key /* FOR UPDATE */) AS owned
    WHERE NOT EXISTS (${listenersSql}) AND NOT EXISTS (${channelsSql}) HAVING count(*) = ?`;
  return { sql, values: [...all.flatMap(({ key, epoch, status }) => [key, epoch, status]), runs.length] };
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
  if (run?.status === 'queued' && run.owner === undefined) abortQueuedRun(database, runKey, by, at);
  else if (recordStopRequest(database, runKey, by).changes === 1)
    insertEvent(database, runKey, at, { type: 'run.stop_requested', by });
}

export function claimOrphanedRun(database: Database, options: RecoveryClaim, at: number): RunRecord {
  return database.write(() => {
    const run = readRun(database, options.runKey);
    if (run === undefined) throw new AppError('not_found', `Run with key ${options.runKey} not found.`);
    if (isFinal(run.status)) {
      throw new AppError(
        'not_running',
        `Run ${run.dagRunId} of ${run.name} has ended (${run.status}) and cannot be taken over.`,
      );
    }
    if (run.epoch !== options.epoch) {
      throw new AppError(
        'stale_owner',
        `Run ${run.dagRunId} of ${run.name} was taken over by another host in the meantime.`,
      );
    }
    const { by, from, reason } = options;
    const epoch = setOwner(database, run, options.owner, at);
    insertEvent(database, run.key, at, { type: 'run.recovered', by, from, reason, epoch });
    return readRun(database, run.key)!;
  });
}
