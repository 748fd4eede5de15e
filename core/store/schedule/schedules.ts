import type { RegisteredSchedule } from '../../scheduler/ports.ts';
import type { Database } from '../database/database.ts';

interface DagRow {
  readonly mark: string | null;
  readonly since: number;
}

export function rememberSchedules(
  database: Database,
  schedules: readonly RegisteredSchedule[],
  at: number,
): ReadonlyMap<string, number> {
  const since = new Map<string, number>();
  const isNew = database.read(() =>
    schedules.filter(({ dag, mark }) => {
      const row = database.get<DagRow>('SELECT mark, since FROM schedule_dag WHERE dag = ?', dag);
      since.set(dag, row?.mark === mark ? row.since : at);
      return row?.mark !== mark;
    }),
  );
  if (isNew.length === 0) return since;
  database.write(() => {
    for (const { dag, mark } of isNew)
      database.run(
        /* sql */ `
        INSERT INTO schedule_dag (dag, mark, since) VALUES (?, ?, ?)
        ON CONFLICT (dag) DO UPDATE SET mark = excluded.mark, since = excluded.since`,
        dag,
        mark,
        at,
      );
  });
  return since;
}

/** Implements `ScheduleStore.forgetSchedules`. Keeps whether a workflow is suspended, because editors replace files. */
export const forgetSchedules = (database: Database, dags: readonly string[]): void =>
  database.write(() => {
    for (const dag of dags) database.run('UPDATE schedule_dag SET mark = NULL WHERE dag = ?', dag);
  });

export const setSuspended = (database: Database, dag: string, isSuspended: boolean, at: number): void =>
  database.write(() => {
    database.run(
      /* sql */ `
      INSERT INTO schedule_dag (dag, since, is_suspended) VALUES (?, ?, ?)
      ON CONFLICT (dag) DO UPDATE SET since = excluded.since, is_suspended = excluded.is_suspended
      WHERE schedule_dag.is_suspended <> excluded.is_suspended`,
      dag,
      at,
      isSuspended ? 1 : 0,
    );
  });

export const isSuspended = (database: Database, dag: string): boolean =>
  database.get('SELECT dag FROM schedule_dag WHERE is_suspended = 1 AND dag = ?', dag) !== undefined;

export const listSuspended = (database: Database): ReadonlySet<string> =>
  new Set(
    database
      .all<{ dag: string }>('SELECT dag FROM schedule_dag WHERE is_suspended = 1')
      .map(({ dag }) => dag),
  );
