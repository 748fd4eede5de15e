import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { AppError } from '../../base/errors.ts';
import {
  initialSql as initial,
  baseConfigSql as baseConfig,
  rerunsSql as reruns,
  itemsSql as items,
  tracesSql as traces,
  hostsSql as hosts,
} from '../migrations/0001-to-0006.ts';
import {
  scheduleSql as schedule,
  queuesSql as queues,
  peaksSql as peaks,
  queueReasonsSql as queueReasons,
  runTimesSql as runTimes,
  runTagsSql as runTags,
  editorSql as editor,
  auditSql as audit,
  runStartersSql as runStarters,
  schedulePauseSql as schedulePause,
} from '../migrations/0007-to-0016.ts';
import { webhooksOutSql as webhooksOut, webhooksInSql as webhooksIn } from '../migrations/0017-to-0018.ts';
import {
  dispatchSql as dispatch,
  workerAttemptsSql as workerAttempts,
  approvalsSql as approvals,
  eventTypesSql as eventTypes,
} from '../migrations/0019-to-0022.ts';
import { runOutcomesSql } from '../migrations/0023-run-outcomes.ts';
import { runNotesServerSql, runNotesSql } from '../migrations/0024-run-notes.ts';
import { runOutcomeCountsServerSql, runOutcomeCountsSql } from '../migrations/0025-run-outcome-counts.ts';
import { reusedItemsServerSql, reusedItemsSql } from '../migrations/0026-reused-items.ts';
import { unsavedRunsServerSql, unsavedRunsSql } from '../migrations/0027-unsaved-runs.ts';
import { attemptTextsServerSql, attemptTextsSqliteSql } from '../migrations/0028-attempt-texts.ts';
import { notificationsServerSql, notificationsSqliteSql } from '../migrations/0029-notifications.ts';
import {
  missedExpectationsServerSql,
  missedExpectationsSqliteSql,
} from '../migrations/0030-missed-expectations.ts';
import { pingsServerSql, pingsSqliteSql } from '../migrations/0031-pings.ts';
import { receiverMethodsServerSql, receiverMethodsSql } from '../migrations/0032-receiver-methods.ts';
import { hostLoadServerSql, hostLoadSql } from '../migrations/0033-host-load.ts';
import { countFinishedRunsServerSql } from '../migrations/0034-count-finished-runs.ts';
import { runsSql, servicesSql } from '../migrations/postgres-0018.ts';
import { webhooksSql } from '../migrations/postgres-0018-webhooks.ts';
import { dispatchSql, workerAttemptsSql, approvalsSql } from '../migrations/postgres-0019-to-0021.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { unusableDatabaseError } from './store-error.ts';

/** "SWRT": identifies our files among other programs' databases. */
export const applicationId = 0x53575254;

/** Creates the error for a file of a later release. */
export const newerDatabaseError = (file: string, current: number, known: number): AppError =>
  new AppError(
    'database_newer',
    `The database ${file} was written by a newer release (schema ${current}, supported up to ${known}). ` +
      'Update Stepwright, or use another home.',
    { details: { file, found: current, known } },
  );

/**
 * Migrates the schema to the current version in one transaction. Before an existing database changes, a copy is saved
 * next to it as `<file>.schema-<version>.bak`, so that a downgrade is possible.
 */
export function migrate(database: SqliteDatabase, migrations: readonly Migration[]): void {
  const target = migrations.at(-1)?.version ?? 0;
  const current = database.pragma('user_version');
  if (current === target) return;
  if (current > target) throw newerDatabaseError(database.file, current, target);
  const copy = current > 0 && database.file !== ':memory:' ? copyBeside(database, current) : undefined;
  const applied = database.write(() => applyFrom(database, migrations, target));
  // Another process was faster: the copy may contain its changes.
  if (copy !== undefined && !applied) rmSync(copy.file);
  else if (copy !== undefined) renameSync(copy.file, copy.finalFile);
}

/** Applies the migrations under the write lock; returns whether any was pending. */
function applyFrom(database: SqliteDatabase, migrations: readonly Migration[], target: number): boolean {
  const version = database.pragma('user_version');
  if (version > target) throw newerDatabaseError(database.file, version, target);
  if (version === 0 && database.all('SELECT name FROM sqlite_schema LIMIT 1').length > 0) {
    throw unusableDatabaseError(database.file, 'the file is a database of another program');
  }
  const missing = migrations.filter((migration) => migration.version > version);
  for (const migration of missing) database.execute(migration.sql);
  if (missing.length === 0) return false;
  database.execute(`PRAGMA user_version = ${target}; PRAGMA application_id = ${applicationId}`);
  return true;
}

function copyBeside(database: SqliteDatabase, version: number): { file: string; finalFile: string } {
  const finalFile = `${database.file}.schema-${version}.bak`;
  const file = `${finalFile}.${process.pid}`;
  rmSync(file, { force: true });
  database.run('VACUUM INTO ?', file);
  const descriptor = openSync(file, 'r+');
  fsyncSync(descriptor);
  closeSync(descriptor);
  return { file, finalFile };
}

/** One step of the schema's history. */
export interface Migration {
  /** `PRAGMA user_version` after it; 1, 2, 3, … without a gap. */
  readonly version: number;
  /** For SQLite. */
  readonly sql: string;
  /** For PostgreSQL, whose first schema is version 18; from there, both have the same versions. */
  readonly postgres?: string;
}

/**
 * All migrations, oldest first. A new one is a new file and a new row here; released ones never change.
 */
export const migrations: readonly Migration[] = [
  { version: 1, sql: initial },
  { version: 2, sql: baseConfig },
  { version: 3, sql: reruns },
  { version: 4, sql: items },
  { version: 5, sql: traces },
  { version: 6, sql: hosts },
  { version: 7, sql: schedule },
  { version: 8, sql: queues },
  { version: 9, sql: peaks },
  { version: 10, sql: queueReasons },
  { version: 11, sql: runTimes },
  { version: 12, sql: runTags },
  { version: 13, sql: editor },
  { version: 14, sql: audit },
  { version: 15, sql: runStarters },
  { version: 16, sql: schedulePause },
  { version: 17, sql: webhooksOut },
  { version: 18, sql: webhooksIn, postgres: runsSql + servicesSql + webhooksSql },
  { version: 19, sql: dispatch, postgres: dispatchSql },
  { version: 20, sql: workerAttempts, postgres: workerAttemptsSql },
  { version: 21, sql: approvals, postgres: approvalsSql },
  { version: 22, sql: eventTypes, postgres: eventTypes },
  { version: 23, sql: runOutcomesSql, postgres: runOutcomesSql },
  { version: 24, sql: runNotesSql, postgres: runNotesServerSql },
  { version: 25, sql: runOutcomeCountsSql, postgres: runOutcomeCountsServerSql },
  { version: 26, sql: reusedItemsSql, postgres: reusedItemsServerSql },
  { version: 27, sql: unsavedRunsSql, postgres: unsavedRunsServerSql },
  { version: 28, sql: attemptTextsSqliteSql, postgres: attemptTextsServerSql },
  { version: 29, sql: notificationsSqliteSql, postgres: notificationsServerSql },
  { version: 30, sql: missedExpectationsSqliteSql, postgres: missedExpectationsServerSql },
  { version: 31, sql: pingsSqliteSql, postgres: pingsServerSql },
  { version: 32, sql: receiverMethodsSql, postgres: receiverMethodsServerSql },
  { version: 33, sql: hostLoadSql, postgres: hostLoadServerSql },
  // SQLite needs no change.
  { version: 34, sql: '', postgres: countFinishedRunsServerSql },
];
