import type { Database } from '../../database/database.ts';

/** Records a request to stop the run; returns whether it is the first one. */
export const recordStopRequest = (database: Database, runKey: number, by: string): boolean =>
  database.run('UPDATE run SET stop_requested_by = ? WHERE key = ? AND stop_requested_by IS NULL', by, runKey)
    .changes === 1;
