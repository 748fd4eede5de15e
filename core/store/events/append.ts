import type { RunEvent } from '../../model/run-event.ts';
import { isFinal, type RunStatus } from '../../model/status.ts';
import type { BatchOutcome, EventBatch } from '../../run/ports.ts';
import { applyRunEvent } from './apply-run-event.ts';
import { applyStepEvent } from './apply-step-event.ts';
import { BatchRefused, illegal } from './batch-refused.ts';
import type { Database } from '../database/database.ts';
import { insertEvent } from './events.ts';
import { readOwnership } from '../runs/ownership.ts';

/** `RunStore.append`. */
export function append(database: Database, batches: readonly EventBatch[]): BatchOutcome[] {
  if (batches.length === 0) return [];
  return database.write(() => batches.map((batch) => writeBatch(database, batch)));
}

function writeBatch(database: Database, batch: EventBatch): BatchOutcome {
  try {
    database.savepoint(() => applyBatch(database, batch));
    return { outcome: 'written' };
  } catch (thrown) {
    if (thrown instanceof BatchRefused) return { outcome: thrown.outcome, reason: thrown.message };
    throw thrown;
  }
}

function applyBatch(database: Database, batch: EventBatch): void {
  let status = checkOwner(database, batch);
  for (const { at, event } of batch.events) {
    if (isFinal(status)) throw illegal(`the run is ${status}, which does not allow ${event.type}`);
    status = applyEvent(database, { runKey: batch.runKey, status }, at, event);
    insertEvent(database, batch.runKey, at, event);
  }
}

/** The run's status, when the batch comes from its owner. */
function checkOwner(database: Database, { runKey, epoch }: EventBatch): RunStatus {
  const run = readOwnership(database, runKey);
  if (run === undefined) throw illegal(`there is no run with the key ${runKey}`);
  if (epoch !== run.epoch)
    throw new BatchRefused('stale', `the run is at epoch ${run.epoch}, the writer at ${epoch}`);
  if (isFinal(run.status)) throw illegal(`the run is ${run.status}, which nothing changes any more`);
  if (run.owner === undefined) throw new BatchRefused('stale', 'nobody has claimed the run');
  return run.status;
}

/** The status of the run afterwards. */
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
    case 'run.taken_over':
      throw illegal('a run changes hands by takeOver only');
    case 'step.status_set':
      throw illegal('the status of a step is set by hand only after the end of its run');
    case 'run.note':
    case 'run.ending':
    case 'run.mailing':
      return run.status;
    default:
      applyStepEvent(database, run.runKey, at, event);
      return run.status;
  }
}
