import type { SchedulePause } from '../../model/run/fire-time.ts';
import type { Database } from '../database/database.ts';

interface PauseRow {
  readonly since: number;
  readonly until: number | null;
  readonly by: string;
}

export function readPause(database: Database): SchedulePause | undefined {
  const row = database.get<PauseRow>('SELECT since, until, by FROM schedule_pause WHERE key = 1');
  if (row === undefined) return undefined;
  const { until, ...fields } = row;
  return until === null ? fields : { ...fields, until };
}

export const setPause = (database: Database, pause: SchedulePause | undefined): void =>
  database.write(() => {
    database.run('DELETE FROM schedule_pause');
    if (pause !== undefined)
      database.run(
        'INSERT INTO schedule_pause (key, since, until, by) VALUES (1, ?, ?, ?)',
        pause.since,
        pause.until ?? null,
        pause.by,
      );
  });
