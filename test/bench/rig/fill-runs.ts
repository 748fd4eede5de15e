import { createHash } from 'node:crypto';
import SqliteDatabase from 'better-sqlite3';

/**
 * Fills the database of a home with finished runs, except the last twenty, in one statement; every fifth is a
 * sub-run.
 * @returns the seconds it took
 */
export function fillRuns(file: string, runCount: number, dagCount: number): number {
  const began = performance.now();
  const connection = new SqliteDatabase(file);
  connection.pragma('synchronous = OFF');
  connection.exec(`
    INSERT INTO spec (key, sha256, text) VALUES (1, '${createHash('sha256').update('steps: []').digest('hex')}', 'steps: []');
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${runCount})
    INSERT INTO run (key, dag, run_id, status, trigger, created_at, started_at, finished_at, error, log_dir,
      spec_key, spec_document, parent_key, parent_step, root_key, is_sub, params, outputs)
    SELECT i, 'workflow-' || (i / 13 * 7919 % ${dagCount}), printf('0198c0de-0000-7000-8000-%012d', i),
      CASE WHEN i > ${runCount} - 20 THEN 'running' WHEN i % 997 = 0 THEN 'partially_succeeded'
        WHEN i % 47 = 0 THEN 'aborted' WHEN i % 11 = 0 THEN 'failed' ELSE 'succeeded' END,
      'schedule', 1.7e12 + i, 1.7e12 + i, 1.7e12 + i + 500, CASE WHEN i % 11 = 0 THEN 'step load failed' END,
      'runs/' || i, 1, 0, CASE WHEN i % 5 = 0 THEN i - 1 END, CASE WHEN i % 5 = 0 THEN 'call' END,
      CASE WHEN i % 5 = 0 THEN i - 1 END, i % 5 = 0, '[{"name":"DATE","value":"2026-01-01"}]', '{"ROWS":"120"}'
    FROM n`);
  connection.close();
  return (performance.now() - began) / 1000;
}

/** Adds what a run with one step leaves: the step, its attempt and four events. */
export function fillSteps(file: string): void {
  const connection = new SqliteDatabase(file);
  connection.pragma('synchronous = OFF');
  connection.exec(`
    INSERT INTO step (run_key, section, name, status, attempt, started_at, finished_at, exit_code)
      SELECT key, 'step', 'load', 'succeeded', 1, started_at, finished_at, 0 FROM run;
    INSERT INTO attempt (run_key, section, name, attempt, dir, started_at, finished_at, pid, pid_start, exit_code)
      SELECT key, 'step', 'load', 1, 'load.1', started_at, finished_at, 1000 + key % 30000, '8841', 0 FROM run;
    INSERT INTO event (run_key, at, type, data)
      SELECT key, started_at + place * 100, type, data FROM run, (
        SELECT 0 AS place, 'run.started' AS type, '{"logDir":"logs/2026/load"}' AS data
        UNION ALL SELECT 1, 'step.started', '{"node":{"section":"step","name":"load"},"attempt":1,"dir":"load.1"}'
        UNION ALL SELECT 2, 'step.finished', '{"node":{"section":"step","name":"load"},"attempt":1,"status":"succeeded","exitCode":0}'
        UNION ALL SELECT 3, 'run.finished', '{"status":"succeeded","outputs":{"ROWS":"120"}}')`);
  connection.close();
}
