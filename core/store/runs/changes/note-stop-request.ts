import type { Database } from '../../database/database.ts';

/** Whether this is the first wish to stop the run. */
export const noteStopRequest = (database: Database, runKey: number, by: string): boolean =>
  database.run('UPDATE run SET stop_requested_by = ? WHERE key = ? AND stop_requested_by IS NULL', by, runKey)
    .changes === 1;
