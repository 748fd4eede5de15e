import { AppError } from '../../base/errors.ts';
import type { RecoveryClaim } from '../../hosts/ports.ts';
import type { RunRecord } from '../../model/run/run.ts';
import { isFinal } from '../../model/run/status.ts';
import type { Database } from '../database/database.ts';
import { insertEvent } from '../events/events.ts';
import { readRun } from '../runs/find-run.ts';
import { setOwner } from '../runs/changes/set-owner.ts';

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
