import type { RunRef } from '../../model/run/run.ts';
import type { RunStatus } from '../../model/run/status.ts';
import type { RunVersion } from '../../run/ports.ts';
import type { Database } from '../database/database.ts';

export const runVersionSql = /* sql */ `
  SELECT key, status, (SELECT max(id) FROM event WHERE run_key = run.key) AS event
  FROM run WHERE dag = ? AND run_id = ?`;

export function findVersion(database: Database, { name, dagRunId }: RunRef): RunVersion | undefined {
  const row = database.get<{ key: number; status: RunStatus; event: number | null }>(
    runVersionSql,
    name,
    dagRunId,
  );
  return row && { key: row.key, status: row.status, eventId: row.event ?? 0 };
}
