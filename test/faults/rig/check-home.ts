import { readFileSync, existsSync } from 'node:fs';
import path, { join, resolve } from 'node:path';
import { expect } from 'vitest';
import { type RunStatus, isFinal } from '../../../core/model/run.ts';
import { readExitJournal } from '../../../core/process/exits.ts';
import type { Database } from '../../../core/store/database/database.ts';
import type { TaskRecord } from '../../../core/store/types/dispatch.ts';
import type { RemoteResult } from '../../../core/run/remote/remote-task.ts';
import type { TestCluster } from '../distributed/test-cluster.ts';
import { type FaultTestHome, effectLines } from './fault-home.ts';

/**
 * Checks that each second between the first and the last start of a schedule of every second has exactly one
 * run.
 * @param dag its workflow; required if others have schedules, too
 */
export async function checkEverySecond(home: FaultTestHome, dag?: string): Promise<void> {
  const dagFilter = dag === undefined ? '' : `WHERE dag = '${dag}'`;
  const slots = await home.query<{ at: number; outcome: string; reason: string | null; runs: number }>(
    `SELECT at, outcome, reason, (SELECT count(*) FROM run WHERE run.key = run_key) AS runs FROM schedule_slot ${dagFilter} ORDER BY at`,
  );
  const [first] = slots;
  expect(slots.length).toBeGreaterThan(1);
  expect(slots, 'scheduled times').toEqual(
    slots.map((_, index) => ({ at: first!.at + 1000 * index, outcome: 'started', reason: null, runs: 1 })),
  );
  await checkFireTimes(home);
}

/** Checks that each scheduled start has exactly one run, and that nothing else was started by a schedule. */
export async function checkFireTimes(home: FaultTestHome): Promise<void> {
  const started = "SELECT run_key AS key FROM schedule_slot WHERE outcome = 'started' ORDER BY run_key";
  const runs = await home.query("SELECT key FROM run WHERE trigger = 'schedule' ORDER BY key");
  expect(runs, 'runs that were started by a schedule').toEqual(await home.query(started));
}

interface RunRow {
  readonly key: number;
  readonly dag: string;
  readonly run_id: string;
  readonly status: RunStatus;
  readonly owner_key: number | null;
  readonly finished_at: number | null;
  readonly log_dir: string;
}

interface AttemptRow {
  readonly run_key: number;
  readonly section: string;
  readonly name: string;
  readonly attempt: number;
  readonly dir: string;
  readonly finished_at: number | null;
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly error: string | null;
}

/** What a fault may leave behind. */
interface RateLimitState {
  /** Runs that wait for an action of the test; all others must have finished. */
  readonly waiting?: readonly RunStatus[];
  /** A step or its log was damaged on purpose: logs are not read. */
  readonly logs?: false;
  /** Data was removed from the database on purpose: steps may have run that it does not list. */
  readonly effects?: false;
  /** How long the last processes may take to exit, milliseconds. */
  readonly timeoutMs?: number;
}

/**
 * Checks that nothing is lost, repeated or left behind in a home where every host has exited: the database is
 * intact, every run has finished, each attempt was run at most once and, if it has an exit code, exactly
 * once, its log is complete, its exit was recorded once and as stored, its end was written once, and no
 * process is left.
 */
export async function checkHome(home: FaultTestHome, allowance: RateLimitState = {}): Promise<void> {
  await home.quiet(allowance.timeoutMs);
  expect(home.processes(), 'processes left behind').toEqual([]);
  const database = home.open();
  try {
    if (home.isOnFile) {
      expect(database.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
      expect(database.all('PRAGMA foreign_key_check')).toEqual([]);
    }
    await database.perform(() => {
      const runs = database.all<RunRow>('SELECT * FROM run');
      checkRuns(database, runs, allowance);
      checkEvents(database);
      for (const run of runs) checkAttempts(home, database, run, allowance);
      if (allowance.effects !== false) checkEffects(home, database, runs);
    });
  } finally {
    if (home.isOnFile) database.close();
  }
}

/** Every run has finished or rightly waits, and nothing of a finished one is open. */
function checkRuns(database: Database, runs: readonly RunRow[], { waiting = [] }: RateLimitState): void {
  const wrong = runs.filter(
    ({ status, owner_key: owner, finished_at: finishedAt }) =>
      !(isFinal(status) ? finishedAt !== null && owner === null : waiting.includes(status) && owner === null),
  );
  expect(wrong, 'uses a wrong state').toEqual([]);
  const open = ['step', 'attempt', 'step_item'].flatMap((table) =>
    database.all(
      `SELECT '${table}' AS kind, ${table}.* FROM ${table} JOIN run ON run.key = run_key
       WHERE run.finished_at IS NOT NULL AND ${table}.finished_at IS NULL`,
    ),
  );
  expect(open, 'open parts of ended runs').toEqual([]);
}

/** Each end has one event, which equals the stored state. */
function checkEvents(database: Database): void {
  expect(
    database.all(`SELECT dag, run_id, type, count(*) AS times FROM event JOIN run ON run.key = run_key
      WHERE type IN ('run.created', 'run.finished') GROUP BY run_key, dag, run_id, type HAVING count(*) > 1 +
        CASE type WHEN 'run.finished' THEN (SELECT count(*) FROM event AS retry WHERE retry.run_key = event.run_key AND retry.type = 'run.retried') ELSE 0 END`),
    'runs created or finished twice',
  ).toEqual([]);
  expect(
    database.all(`SELECT run_key, min(type) AS type, min(data) AS data, count(*) AS times FROM event
      WHERE type IN ('step.started', 'step.finished', 'step.retry_scheduled', 'step.repeat_scheduled')
      GROUP BY run_key, CASE type WHEN 'step.started' THEN 1 ELSE 2 END, json_extract(data, '$.node.section'),
        json_extract(data, '$.node.name'), json_extract(data, '$.attempt') HAVING count(*) > 1`),
    'attempts started or ended twice',
  ).toEqual([]);
  expect(
    database.all(`SELECT dag, run_id, status, json_extract(data, '$.status') AS told FROM run
      JOIN event ON event.id = (SELECT max(id) FROM event WHERE run_key = run.key AND type = 'run.finished')
      WHERE run.finished_at IS NOT NULL AND json_extract(data, '$.status') <> status`),
    'ends that differ from what was told',
  ).toEqual([]);
}

/** The database, the exit journal and the logs agree on a run's attempts. */
function checkAttempts(
  home: FaultTestHome,
  database: Database,
  run: RunRow,
  { logs, effects }: RateLimitState,
): void {
  const runDir = resolve(home.home, run.log_dir);
  const attempts = database.all<AttemptRow>('SELECT * FROM attempt WHERE run_key = ?', run.key);
  const records = readExitJournal(runDir);
  const twice = countBy(readJournal(runDir).map((line) => (JSON.parse(line) as { dir: string }).dir)).filter(
    ([, times]) => times > 1,
  );
  expect(twice, 'exits recorded twice').toEqual([]);
  for (const { dir, exit_code: exitCode, signal, error } of attempts) {
    const record = records.get(dir);
    // An attempt with unknown result may not be run again, whatever its result.
    if (record === undefined || effects === false) continue;
    const stored = { dir, exitCode: exitCode ?? undefined, signal: signal ?? undefined, error };
    expect(stored, `an exit other than the one recorded (${error ?? 'no error'})`).toMatchObject({
      dir,
      ...(record.exitCode === undefined ? {} : { exitCode: record.exitCode }),
      ...(record.signal === undefined ? {} : { signal: record.signal }),
    });
  }
  if (logs !== false) checkLogs(home, runDir, attempts);
}

const wholeLog = Array.from({ length: effectLines }, (_, index) => `line ${index + 1}`);

/** A process that exited by itself has written all of its lines, one that was killed all up to some line. */
function checkLogs(home: FaultTestHome, runDir: string, attempts: readonly AttemptRow[]): void {
  const ran = new Set(home.ran().map((dir) => resolve(home.home, dir)));
  for (const { dir, exit_code: exitCode } of attempts) {
    const logPath = join(runDir, dir);
    if (!ran.has(logPath)) continue;
    const text = readFileSync(join(logPath, 'stdout.log'), 'utf8');
    const lines = text.split('\n').filter((line) => line.startsWith('line '));
    const expected = exitCode === null ? wholeLog.slice(0, lines.length) : wholeLog;
    expect(lines, `the log of ${dir}`).toEqual(expected);
  }
}

/** Each attempt and each item was run at most once, and exactly once if it has an exit code. */
function checkEffects(home: FaultTestHome, database: Database, runs: readonly RunRow[]): void {
  const ran = home.ran();
  expect(
    countBy(ran).filter(([, times]) => times > 1),
    'attempts run twice',
  ).toEqual([]);
  const logDirs = new Map(runs.map(({ key, log_dir: dir }) => [key, resolve(home.home, dir)]));
  const attemptRows = database.all<{
    run_key: number;
    dir: string;
    exit_code: number | null;
    error: string | null;
  }>(
    // An attempt with items has the exit code of one of them.
    `SELECT run_key, dir, exit_code, error FROM attempt WHERE NOT EXISTS (SELECT 1 FROM step_item item
      WHERE item.run_key = attempt.run_key AND item.section = attempt.section AND item.name = attempt.name
        AND item.attempt = attempt.attempt)
    UNION ALL SELECT run_key, dir, exit_code, error FROM step_item`,
  );
  const known = new Map(
    attemptRows.map((attemptRow) => [join(logDirs.get(attemptRow.run_key)!, attemptRow.dir), attemptRow]),
  );
  const unknown = ran.filter((dir) => !known.has(resolve(home.home, dir)));
  expect(unknown, 'attempts run and not stored').toEqual([]);
  const missing = attemptRows.filter(
    ({ run_key: key, dir, exit_code: exitCode }) =>
      exitCode !== null && !ran.includes(join(logDirs.get(key)!, dir).replace(`${home.home}/`, '')),
  );
  expect(missing, 'attempts with an exit code that were not run').toEqual([]);
  const unstarted = ran.filter((dir) =>
    known.get(resolve(home.home, dir))?.error?.includes('nothing was run'),
  );
  expect(unstarted, 'attempts run and said not to be').toEqual([]);
}

function readJournal(runDir: string): string[] {
  try {
    return readFileSync(join(runDir, 'exits.jsonl'), 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

function countBy(texts: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts];
}

const wholeTaskLog = 'one\ntwo\n';

/**
 * Checks that each task has ended once: its command was started at most once, its result and its log are
 * complete if it has a result, and nothing of it continued after another host rightly took it over.
 * @returns the number of tasks with a result
 */
export async function checkEnds(cluster: TestCluster, records: readonly TaskRecord[]): Promise<number> {
  expect(records.flatMap((record) => findWrong(cluster, record))).toEqual([]);
  const late = cluster.workers.flatMap(({ log }) => log.match(/Discarded a late result/g) ?? []).length;
  const { staleRefused, ready, claimed, running } = await cluster.store.stats();
  expect(staleRefused, 'late results that were counted').toBeGreaterThanOrEqual(late);
  expect({ ready, claimed, running }).toEqual({ ready: 0, claimed: 0, running: 0 });
  return records.filter(({ state }) => state === 'settled').length;
}

function findWrong(cluster: TestCluster, record: TaskRecord): string[] {
  const { key, state, attemptDir, endedAt = 0 } = record;
  const started = cluster.effectsOf(key);
  const log = readLog(attemptDir);
  const wrong: string[] = [];
  if (started > 1) wrong.push(`${key} was begun ${started} times`);
  if (!wholeTaskLog.startsWith(log)) wrong.push(`${key} has another log: ${JSON.stringify(log)}`);
  if (state === 'settled') wrong.push(...findWrongResult(record, started, log));
  else if (record.result !== undefined) wrong.push(`${key} is ${state} and has a result`);
  const lastTick = cluster.lastTickOf(key);
  if (state === 'lost' && lastTick > endedAt)
    wrong.push(`${key} went on for ${lastTick - endedAt} ms after it was given up`);
  return wrong;
}

function findWrongResult({ key, result }: TaskRecord, started: number, log: string): string[] {
  const { exitCode, unstarted, captured, error } = JSON.parse(result!) as RemoteResult;
  if (unstarted === true) return started === 0 ? [] : [`${key} is told not to have been begun, and was`];
  if (started !== 1) return [`${key} has a result and was begun ${started} times`];
  // Ended by its worker for lack of a lease, which was reported in time.
  if (error?.includes('onPartition') === true) return [];
  if (exitCode !== 0 || captured !== 'one\ntwo')
    return [`${key} ended with ${exitCode} ${JSON.stringify(captured)} ${error}`];
  return log === wholeTaskLog ? [] : [`${key} has not all of its log: ${JSON.stringify(log)}`];
}

function readLog(attemptDir: string): string {
  const file = path.join(attemptDir, 'stdout.log');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
