import type { RunEvent } from '../../model/run-event.ts';
import { isFinal, type RunStatus } from '../../model/run.ts';
import type { BatchOutcome, EventBatch } from '../types/runs.ts';
import type { Database } from '../database/database.ts';
import { readOwnership, readOwnerships, type Ownership } from '../runs/ownership.ts';
import { applyRunEvent } from './apply-run-event.ts';
import { applyStepEvent } from './apply-step-event.ts';
import { BatchRejected, illegalEventError, insertEvent } from './events.ts';

export function append(database: Database, batches: readonly EventBatch[]): BatchOutcome[] {
  if (batches.length === 0) return [];
  return database.write(() => {
    const owners = readOwners(database, batches);
    return batches.map((batch) => writeBatch(database, batch, owners));
  });
}

/** State of the runs before their first batch, read together, because each read may be a round trip to a server. */
type Owners = Map<number, Ownership>;

function readOwners(database: Database, batches: readonly EventBatch[]): Owners {
  const keys = [...new Set(batches.map(({ runKey }) => runKey))];
  return keys.length === 1 ? new Map() : readOwnerships(database, keys);
}

function writeBatch(database: Database, batch: EventBatch, owners: Owners): BatchOutcome {
  try {
    database.savepoint(() => applyBatch(database, batch, owners));
    return { outcome: 'written' };
  } catch (error) {
    if (error instanceof BatchRejected) return { outcome: error.outcome, reason: error.message };
    throw error;
  }
}

function applyBatch(database: Database, requested: EventBatch, owners: Owners): void {
  const batch = dropCommitted(database, requested);
  // The run may have ended with them, and be owned by another host by now.
  if (batch.events.length === 0 && requested.events.length > 0) return;
  let status = checkOwner(database, batch, owners);
  for (const { at, event } of batch.events) {
    if (isFinal(status)) throw illegalEventError(`the run is ${status}, which does not allow ${event.type}`);
    status = applyEvent(database, { runKey: batch.runKey, status }, at, event);
    insertEvent(database, batch.runKey, at, event);
  }
}

/** Returns the run's status when the batch comes from its owner. */
function checkOwner(database: Database, { runKey, epoch }: EventBatch, owners: Owners): RunStatus {
  const run = owners.get(runKey) ?? readOwnership(database, runKey);
  // A second batch of the run depends on the changes of the first one.
  owners.delete(runKey);
  if (run === undefined) throw illegalEventError(`run with key ${runKey} not found`);
  if (epoch !== run.epoch)
    throw new BatchRejected('stale', `the run is at epoch ${run.epoch}, the writer at ${epoch}`);
  if (isFinal(run.status)) throw illegalEventError(`the run is ${run.status} and can no longer change`);
  if (run.owner === undefined) throw new BatchRejected('stale', 'the run has not been claimed');
  return run.status;
}

/** Applies an event; returns the status of the run afterwards. */
function applyEvent(
  database: Database,
  run: { runKey: number; status: RunStatus },
  at: number,
  event: RunEvent,
): RunStatus {
  switch (event.type) {
    case 'run.created':
    case 'run.retried':
    case 'run.started':
    case 'run.stop_requested':
    case 'run.finished':
      return applyRunEvent(database, run, at, event);
    case 'run.recovered':
      throw illegalEventError('only takeOver can change the owner of a run');
    case 'step.status_set':
      throw illegalEventError('step statuses can only be set after the end of the run');
    case 'run.note_changed':
      throw illegalEventError('notes can only be changed from outside the run');
    case 'step.approval_resolved':
      throw illegalEventError('approvals can only be answered from outside the run');
    case 'run.message':
    case 'run.terminating':
    case 'run.notification':
      return run.status;
    default:
      applyStepEvent(database, run.runKey, at, event);
      return run.status;
  }
}

/** Most events of others, such as stop requests, that may have been written in between. */
const maxOtherEvents = 100;

export const newestRunEventsSql =
  'SELECT at, type, data FROM event WHERE run_key = ? ORDER BY id DESC LIMIT ?';

/**
 * Returns the batch without the events that an earlier commit, whose response was lost, has written. A batch is written
 * as a whole, so its events are in order; events of others may be between them.
 */
function dropCommitted(database: Database, batch: EventBatch): EventBatch {
  const { runKey, events, inDoubt = 0 } = batch;
  if (inDoubt === 0) return batch;
  const newest = database.all<{ at: number; type: string; data: string }>(
    newestRunEventsSql,
    runKey,
    inDoubt + maxOtherEvents,
  );
  let committed = 0;
  for (const { at, type, data } of newest.toReversed()) {
    const next = events[committed];
    if (next === undefined || committed === inDoubt) break;
    const { type: nextType, ...nextData } = next.event;
    if (at === next.at && type === nextType && data === JSON.stringify(nextData)) committed += 1;
  }
  return { ...batch, events: events.slice(committed) };
}
