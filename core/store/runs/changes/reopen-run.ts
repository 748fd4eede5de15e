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

/** Returns the run if it is unchanged since the retry was planned. */
function requireUnchanged(database: Database, { runKey, epoch }: Reopening): RunRecord {
  const run = readRun(database, runKey);
  if (run === undefined) throw new AppError('not_found', `Run with key ${runKey} not found.`);
  if (!isFinal(run.status)) {
    throw new AppError(
      'still_running',
      `Run ${run.dagRunId} of ${run.name} is ${run.status}. Wait for it to end or stop it, then retry.`,
    );
  }
  if (run.epoch !== epoch) {
    throw new AppError(
      'stale_owner',
      `Run ${run.dagRunId} of ${run.name} was retried or changed in the meantime. Reload it and try again.`,
    );
  }
  return run;
}
