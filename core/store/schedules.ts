import type { SchedulePause, ScheduleNote, SchedulerInstance } from '../model/fire-time.ts';
import type { ScheduleStore, RegisteredSchedule } from './types/schedules.ts';
import type { Operations } from './open-store.ts';
import type { Database } from './database/database.ts';
import {
  countFireTimes,
  listFireTimes,
  groupFireTimes,
  beginRestart,
  isDecided,
  listRestarts,
  purgeFireTimes,
  rejectRestart,
  rejectFireTime,
  stopForFireTime,
} from './fire-times.ts';
import { countActiveSql } from './runs/create-run.ts';

/** Creates the schedule store on an open connection. */
export const createScheduleStore = (database: Database): Operations<ScheduleStore> => ({
  isDecided: (fireTime) => isDecided(database, fireTime),
  rejectFireTime: (fireTime, error, at) => rejectFireTime(database, fireTime, error, at),
  stopForFireTime: (fireTime, name, at) => stopForFireTime(database, fireTime, name, at),
  beginRestart: (fireTime, name, at) => beginRestart(database, fireTime, name, at),
  rejectRestart: (fireTime, reason, at) => rejectRestart(database, fireTime, reason, at),
  listRestarts: () => listRestarts(database),
  groupFireTimes: (span) => groupFireTimes(database, span),
  listFireTimes: (ref, span) => listFireTimes(database, ref, span),
  countFireTimes: (span) => countFireTimes(database, span),
  purgeFireTimes: (before) => purgeFireTimes(database, before),
  rememberSchedules: (schedules, at) => rememberSchedules(database, schedules, at),
  listRegistered: () => listRegistered(database),
  forgetSchedules: (dags) => forgetSchedules(database, dags),
  setSuspended: (dag, suspended, at) => setSuspended(database, dag, suspended, at),
  isSuspended: (dag) => isSuspended(database, dag),
  listSuspended: () => listSuspended(database),
  pause: () => readPause(database),
  setPause: (pause) => setPause(database, pause),
  removeExpiredPause: (at) => removeExpiredPause(database, at),
  watermark: () => readWatermark(database),
  setWatermark: (at) => setWatermark(database, at),
  hasSucceededSince: (name, since) => hasSucceededSince(database, name, since),
  hasActiveRun: (name) => hasActiveRun(database, name),
  addNote: (note) => addNote(database, note),
  listNotes: (limit) => listNotes(database, limit),
  saveScheduler: (instance) => saveScheduler(database, instance),
  removeScheduler: (id) => removeScheduler(database, id),
  listSchedulers: () => listSchedulers(database),
});

interface DagRow {
  readonly dag: string;
  readonly mark: string | null;
  readonly since: number;
}

const registeredSql =
  'SELECT dag, mark, since FROM schedule_dag WHERE dag IN (SELECT value FROM json_each(?))';

function rememberSchedules(
  database: Database,
  schedules: readonly RegisteredSchedule[],
  at: number,
): ReadonlyMap<string, number> {
  const rows = database.all<DagRow>(registeredSql, JSON.stringify(schedules.map(({ dag }) => dag)));
  const known = new Map(rows.map((row) => [row.dag, row]));
  const isNew = schedules.filter(({ dag, mark }) => known.get(dag)?.mark !== mark);
  const since = new Map(schedules.map(({ dag }) => [dag, known.get(dag)?.since ?? at]));
  for (const { dag } of isNew) since.set(dag, at);
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

const listRegistered = (database: Database): ReadonlyMap<string, number> =>
  new Map(
    database
      .all<{ dag: string; since: number }>('SELECT dag, since FROM schedule_dag WHERE mark IS NOT NULL')
      .map(({ dag, since }) => [dag, since]),
  );

/** Implements `ScheduleStore.forgetSchedules`. Keeps whether a workflow is suspended, because editors replace files. */
const forgetSchedules = (database: Database, dags: readonly string[]): void =>
  database.write(() => {
    for (const dag of dags) database.run('UPDATE schedule_dag SET mark = NULL WHERE dag = ?', dag);
  });

const setSuspended = (database: Database, dag: string, isSuspended: boolean, at: number): void =>
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

const isSuspended = (database: Database, dag: string): boolean =>
  database.get('SELECT dag FROM schedule_dag WHERE is_suspended = 1 AND dag = ?', dag) !== undefined;

const listSuspended = (database: Database): ReadonlySet<string> =>
  new Set(
    database
      .all<{ dag: string }>('SELECT dag FROM schedule_dag WHERE is_suspended = 1')
      .map(({ dag }) => dag),
  );

interface PauseRow {
  readonly since: number;
  readonly until: number | null;
  readonly by: string;
}

function readPause(database: Database): SchedulePause | undefined {
  const row = database.get<PauseRow>('SELECT since, until, by FROM schedule_pause WHERE key = 1');
  if (row === undefined) return undefined;
  const { until, ...fields } = row;
  return until === null ? fields : { ...fields, until };
}

const setPause = (database: Database, pause: SchedulePause | undefined): SchedulePause | undefined =>
  database.write(() => {
    const previous = readPause(database);
    database.run('DELETE FROM schedule_pause');
    if (pause !== undefined)
      database.run(
        'INSERT INTO schedule_pause (key, since, until, by) VALUES (1, ?, ?, ?)',
        pause.since,
        pause.until ?? null,
        pause.by,
      );
    return previous;
  });

const removeExpiredPause = (database: Database, at: number): boolean =>
  database.write(() => {
    const until = readPause(database)?.until;
    if (until === undefined || until > at) return false;
    database.run('DELETE FROM schedule_pause');
    return true;
  });

const maxNotes = 300;
/** An instance without a heartbeat for this long is forgotten, in milliseconds. */
const rememberedMs = 3_600_000;

export const succeededSql = /* sql */ `
  SELECT key FROM run
  WHERE dag = ? AND started_at >= ? AND status = 'succeeded' AND is_sub = 0 AND trigger <> 'schedule'
    AND only_steps IS NULL LIMIT 1`;

const readWatermark = (database: Database): number | undefined =>
  database.get<{ at: number }>('SELECT at FROM schedule_watermark WHERE key = 1')?.at;

const setWatermark = (database: Database, at: number): void =>
  database.write(() => {
    database.run(
      'INSERT INTO schedule_watermark (key, at) VALUES (1, ?) ON CONFLICT (key) DO UPDATE SET at = excluded.at',
      at,
    );
  });

const hasSucceededSince = (database: Database, name: string, since: number): boolean =>
  database.get(succeededSql, name, since) !== undefined;

const hasActiveRun = (database: Database, name: string): boolean =>
  database.get<{ active: number }>(countActiveSql, name)!.active > 0;

const addNote = (database: Database, { at, kind, dag, message }: ScheduleNote): void =>
  database.write(() => {
    database.run(
      'INSERT INTO schedule_note (at, kind, dag, message) VALUES (?, ?, ?, ?)',
      at,
      kind,
      dag ?? null,
      message,
    );
    database.run('DELETE FROM schedule_note WHERE key <= (SELECT max(key) FROM schedule_note) - ?', maxNotes);
  });

interface NoteRow {
  readonly at: number;
  readonly kind: ScheduleNote['kind'];
  readonly dag: string | null;
  readonly message: string;
}

const listNotes = (database: Database, limit: number): ScheduleNote[] =>
  database
    .all<NoteRow>('SELECT at, kind, dag, message FROM schedule_note ORDER BY key DESC LIMIT ?', limit)
    .map(({ dag, ...note }) => (dag === null ? note : { ...note, dag }));

const beatSql = 'UPDATE scheduler_instance SET beat_at = ? WHERE id = ? AND is_active = ?';

/** Only a change of the state is announced. */
function saveScheduler(database: Database, instance: SchedulerInstance): void {
  const { id, host, pid, port, startedAt, beatAt, isActive } = instance;
  if (database.runAlone(beatSql, beatAt, id, isActive ? 1 : 0).changes === 1) return;
  database.write(() => {
    database.run('DELETE FROM scheduler_instance WHERE beat_at < ?', beatAt - rememberedMs);
    if (isActive)
      database.run('UPDATE scheduler_instance SET is_active = 0 WHERE is_active = 1 AND id <> ?', id);
    database.run(
      /* sql */ `
      INSERT INTO scheduler_instance (id, host, pid, port, started_at, beat_at, is_active)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET beat_at = excluded.beat_at, is_active = excluded.is_active`,
      id,
      host,
      pid,
      port ?? null,
      startedAt,
      beatAt,
      isActive ? 1 : 0,
    );
  });
}

const removeScheduler = (database: Database, id: string): void =>
  database.write(() => void database.run('DELETE FROM scheduler_instance WHERE id = ?', id));

interface InstanceRow {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly port: number | null;
  readonly started_at: number;
  readonly beat_at: number;
  readonly is_active: number;
}

const listSchedulers = (database: Database): SchedulerInstance[] =>
  database
    .all<InstanceRow>('SELECT * FROM scheduler_instance ORDER BY started_at, id')
    .map(({ id, host, pid, port, started_at: startedAt, beat_at: beatAt, is_active: active }) => ({
      id,
      host,
      pid,
      ...(port === null ? {} : { port }),
      startedAt,
      beatAt,
      isActive: active === 1,
    }));
