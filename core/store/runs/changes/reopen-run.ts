import { AppError } from '../../../base/errors.ts';
import type { RunRecord } from '../../../model/run/run.ts';
import { isFinal } from '../../../model/run/status.ts';
import type { Reopening } from '../../../run/ports.ts';
import { applyRunEvent } from '../../events/apply-run-event.ts';
import { refuseOverLimit } from './create-run.ts';
import type { Database } from '../../database/database.ts';
import { insertEvent } from '../../events/events.ts';
import { readRun } from '../find-run.ts';
import { setOwner } from './set-owner.ts';

/** `RunStore.reopenRun`. */
export function reopenRun(database: Database, wish: Reopening, at: number): RunRecord {
  return database.write(() => {
    const run = requireUnchanged(database, wish);
    if (run.parent === undefined)
      refuseOverLimit(database, { name: run.name, maxActiveRuns: wish.maxActiveRuns });
    const { by, steps, from, alone } = wish;
    const event = { type: 'run.retried', by, steps, from, alone } as const;
    applyRunEvent(database, { runKey: run.key, status: run.status }, at, event);
    setOwner(database, run, wish.owner, at);
    if (wish.trace !== undefined)
      database.run('UPDATE run SET trace = ? WHERE key = ?', JSON.stringify(wish.trace), run.key);
    insertEvent(database, run.key, at, event);
    return readRun(database, run.key)!;
  });
}

/** The run, as it was when the retry was planned. */
function requireUnchanged(database: Database, { runKey, epoch }: Reopening): RunRecord {
  const run = readRun(database, runKey);
  if (run === undefined) throw new AppError('not_found', `There is no run with the key ${runKey}.`);
  if (!isFinal(run.status)) {
    throw new AppError(
      'still_running',
      `The run ${run.dagRunId} of ${run.name} is ${run.status}. Wait until it has ended, or stop it; then retry it.`,
    );
  }
  if (run.epoch !== epoch) {
    throw new AppError(
      'stale_owner',
      `Somebody else has retried the run ${run.dagRunId} of ${run.name}, or set the status of a step, meanwhile. Look at it first.`,
    );
  }
  return run;
}
