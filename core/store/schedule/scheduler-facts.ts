import type { ScheduleNote, SchedulerInstance } from '../../model/run/fire-time.ts';
import type { Database } from '../database/database.ts';
import { countActiveSql } from '../runs/changes/create-run.ts';

const keptNotes = 300;
/** An instance without a heartbeat for this long is forgotten, in milliseconds. */
const rememberedMs = 3_600_000;

export const succeededSql = /* sql */ `
  SELECT key FROM run
  WHERE dag = ? AND started_at >= ? AND status = 'succeeded' AND is_sub = 0 AND trigger <> 'schedule'
    AND only_steps IS NULL LIMIT 1`;

export const readWatermark = (database: Database): number | undefined =>
  database.get<{ at: number }>('SELECT at FROM schedule_watermark WHERE key = 1')?.at;

export const setWatermark = (database: Database, at: number): void =>
  database.write(() => {
    database.run(
      'INSERT INTO schedule_watermark (key, at) VALUES (1, ?) ON CONFLICT (key) DO UPDATE SET at = excluded.at',
      at,
    );
  });

export const hasSucceededSince = (database: Database, name: string, since: number): boolean =>
  database.get(succeededSql, name, since) !== undefined;

export const hasActiveRun = (database: Database, name: string): boolean =>
  database.get<{ active: number }>(countActiveSql, name)!.active > 0;

export const addNote = (database: Database, { at, kind, dag, message }: ScheduleNote): void =>
  database.write(() => {
    const { key } = database.run(
      'INSERT INTO schedule_note (at, kind, dag, message) VALUES (?, ?, ?, ?)',
      at,
      kind,
      dag ?? null,
      message,
    );
    database.run('DELETE FROM schedule_note WHERE key <= ?', key - keptNotes);
  });

interface NoteRow {
  readonly at: number;
  readonly kind: ScheduleNote['kind'];
  readonly dag: string | null;
  readonly message: string;
}

export const listNotes = (database: Database, limit: number): ScheduleNote[] =>
  database
    .all<NoteRow>('SELECT at, kind, dag, message FROM schedule_note ORDER BY key DESC LIMIT ?', limit)
    .map(({ dag, ...note }) => (dag === null ? note : { ...note, dag }));

export function saveScheduler(database: Database, instance: SchedulerInstance): void {
  const { id, host, pid, port, startedAt, beatAt, isActive } = instance;
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

export const removeScheduler = (database: Database, id: string): void =>
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

export const listSchedulers = (database: Database): SchedulerInstance[] =>
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
