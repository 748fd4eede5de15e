import { AppError } from '../../../base/errors.ts';
import type { RunRecord } from '../../../model/run/run.ts';
import { isFinal } from '../../../model/run/status.ts';
import type { RetryClaim } from '../../../run/ports.ts';
import { applyRunEvent } from '../../events/apply-run-event.ts';
import { assertBelowLimit } from './create-run.ts';
import type { Database } from '../../database/database.ts';
import { insertEvent } from '../../events/events.ts';
import { readRun } from '../find-run.ts';
import { setOwner } from './set-owner.ts';

export function reopenRun(database: Database, options: RetryClaim, at: number): RunRecord {
  return database.write(() => {
    const run = requireUnchanged(database, options);
    if (run.parent === undefined)
      assertBelowLimit(database, { name: run.name, maxActiveRuns: options.maxActiveRuns });
    const { by, steps, from, onlyThisStep } = options;
    const event = { type: 'run.retried', by, steps, from, alone: onlyThisStep } as const;
    applyRunEvent(database, { runKey: run.key, status: run.status }, at, event);
    setOwner(database, run, options.owner, at);
    if (options.trace !== undefined)
      database.run('UPDATE run SET trace = ? WHERE key = ?', JSON.stringify(options.trace), run.key);
    insertEvent(database, run.key, at, event);
    return readRun(database, run.key)!;
  });
}

/** Returns the run if it is unchanged since the retry was planned. */
function requireUnchanged(database: Database, { runKey, epoch }: RetryClaim): RunRecord {
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
