import { AppError } from '../../base/errors.ts';
import type { TakeOver } from '../../hosts/ports.ts';
import type { RunRecord } from '../../model/run/run.ts';
import { isFinal } from '../../model/run/status.ts';
import type { Database } from '../database/database.ts';
import { insertEvent } from '../events/events.ts';
import { readRun } from '../runs/find-run.ts';
import { setOwner } from '../runs/changes/set-owner.ts';

export function takeOver(database: Database, wish: TakeOver, at: number): RunRecord {
  return database.write(() => {
    const run = readRun(database, wish.runKey);
    if (run === undefined) throw new AppError('not_found', `Run with key ${wish.runKey} not found.`);
    if (isFinal(run.status)) {
      throw new AppError(
        'not_running',
        `Run ${run.dagRunId} of ${run.name} has ended (${run.status}) and cannot be taken over.`,
      );
    }
    if (run.epoch !== wish.epoch) {
      throw new AppError(
        'stale_owner',
        `Run ${run.dagRunId} of ${run.name} was taken over by another host in the meantime.`,
      );
    }
    const { by, from, reason } = wish;
    const epoch = setOwner(database, run, wish.owner, at);
    insertEvent(database, run.key, at, { type: 'run.recovered', by, from, reason, epoch });
    return readRun(database, run.key)!;
  });
}
