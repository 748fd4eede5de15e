import type { ImportedRun, ImportedStep, ImportStore } from './types/maintenance.ts';
import type { Database } from './database/database.ts';
import type { DatabaseLocation } from './maintenance/copy-database.ts';
import { openDatabase, openServerDatabase, withStoreErrors } from './open-store.ts';
import { insertEvent } from './events/events.ts';
import { saveSpec } from './runs/create-run.ts';
import { findRunKey } from './run-rows.ts';

/** Opens a database to import runs of another engine. Throws like `openStore`. */
export function openImportStore(location: DatabaseLocation): ImportStore {
  const database = 'url' in location ? openServerDatabase(location.url) : openDatabase(location.file);
  return withStoreErrors<ImportStore>(
    {
      hasRun: (run) => database.perform(() => findRunKey(database, run) !== undefined),
      importRuns: (runs) => database.perform(() => importRuns(database, runs)),
      close: () => database.close(),
    },
    database,
  );
}

function importRuns(database: Database, runs: readonly ImportedRun[]): number {
  return database.write(() => {
    const added = runs.filter((run) => findRunKey(database, run) === undefined);
    const oldest = database.get<{ key: number | null }>('SELECT min(key) AS key FROM run')!.key ?? 1;
    // Lists are ordered by key, and migrated runs are older.
    for (const [index, run] of added.entries()) importRun(database, Math.min(oldest, 1) - 1 - index, run);
    return added.length;
  });
}

function importRun(database: Database, key: number, run: ImportedRun): void {
  database.run(
    /* sql */ `
    INSERT INTO run (key, dag, run_id, status, trigger, created_at, started_at, finished_at, error, cause, log_dir,
      spec_key, spec_document, is_sub, params, outputs, queue)
    VALUES (?, ?, ?, ?, 'migrated', ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?, ?)`,
    key,
    run.name,
    run.dagRunId,
    run.status,
    run.createdAt,
    run.startedAt ?? null,
    run.finishedAt,
    run.error ?? null,
    run.cause ?? null,
    run.logDir,
    saveSpec(database, run.spec),
    JSON.stringify(run.params),
    JSON.stringify(run.outputs),
    run.name,
  );
  for (const step of run.steps) importStep(database, key, step);
  insertEvent(database, key, run.finishedAt, { type: 'run.message', level: 'info', message: run.note });
}

function importStep(database: Database, runKey: number, step: ImportedStep): void {
  const { node, attempt, startedAt, finishedAt } = step;
  const end = [finishedAt, step.exitCode ?? null, step.error ?? null] as const;
  database.run(
    /* sql */ `
    INSERT INTO step (run_key, section, name, status, attempt, started_at, finished_at, exit_code, error)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    runKey,
    node.section,
    node.name,
    step.status,
    attempt,
    attempt === 0 ? null : startedAt,
    ...end,
  );
  if (attempt === 0) return;
  database.run(
    /* sql */ `
    INSERT INTO attempt (run_key, section, name, attempt, dir, started_at, finished_at, exit_code, error)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    runKey,
    node.section,
    node.name,
    attempt,
    step.dir,
    startedAt,
    ...end,
  );
}
