import type { activeRunStatuses } from '../../model/run/status.ts';
import type { Database } from '../database/database.ts';

export const countByStatusSql = 'SELECT count(*) AS runs FROM run WHERE is_sub IN (0, 1) AND status = ?';

export const countActiveRuns = (database: Database): Record<(typeof activeRunStatuses)[number], number> => {
  const count = (status: string): number => database.get<{ runs: number }>(countByStatusSql, status)!.runs;
  return database.read(() => ({
    not_started: count('not_started'),
    queued: count('queued'),
    running: count('running'),
  }));
};
