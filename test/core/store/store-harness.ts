import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { AppError } from '../../../core/base/errors.ts';
import type { RunEvent } from '../../../core/model/run-event.ts';
import type { RunOwner, RunRecord } from '../../../core/model/run.ts';
import type { BatchOutcome, NewRun, RunStore, Waiting } from '../../../core/store/types/runs.ts';
import type { Database } from '../../../core/store/database/database.ts';
import type { SqliteDatabase } from '../../../core/store/database/sqlite-database.ts';
import { listTables } from '../../../core/store/database/tables.ts';
import { createStore, type Store } from '../../../core/store/open-store.ts';
import type { QueueClaim } from '../../../core/model/queue.ts';
import { openNextTestDatabase, openTestDatabase } from '../../harness/databases.ts';
import { openEmptyDatabase } from '../../harness/empty-database.ts';
import { makeTemporaryFolder } from '../../harness/resources.ts';

export const owner: RunOwner = { host: 'here', pid: 100, pidStart: '7', bootId: 'boot' };

/** A separate connection to an in-memory database; closed with the test. */
export function openMemoryDatabase(): SqliteDatabase {
  const database = openEmptyDatabase();
  onTestFinished(() => database.close());
  return database;
}

/** An in-memory store that is closed with the test; on a server where the test runs on one. */
export const openTestStore = (): Store => createStore(openTestDatabase());

/** The same as a replacement of earlier ones of the test: for tests that need many, one after the other. */
export const openNextTestStore = (): Store => createStore(openNextTestDatabase());

/** Path of a database in a separate directory. */
export const makeDatabasePath = (): string => join(makeTemporaryFolder(), 'engine.db');

let runCount = 0;

/** A run that has not been created yet; its id is new. */
export function describeRun(overrides: Partial<NewRun> = {}): NewRun {
  runCount += 1;
  return {
    name: 'etl',
    dagRunId: `run-${runCount}`,
    spec: { text: 'steps:\n  - run: "true"\n', document: 0 },
    trigger: 'cli',
    params: [],
    maxActiveRuns: -1,
    ...overrides,
  };
}

/**
 * Adds runs that differ from one that was just created only by their keys and ids, with its tags: creating each would
 * take a server seconds.
 * @param apartMs between their creation times
 */
export async function repeatRun(
  database: Database,
  { key }: RunRecord,
  count: number,
  apartMs = 0,
): Promise<void> {
  const { columns } = (await database.perform(() => listTables(database))).find(
    ({ name }) => name === 'run',
  )!;
  const environment: Record<string, string> = {
    run_id: "run_id || '-' || n",
    created_at: `created_at + n * ${apartMs}`,
  };
  const copied = columns
    .filter((column) => column !== 'key')
    .map((column) => [`"${column}"`, environment[column]]);
  const sql = `
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
    INSERT INTO run (${copied.map(([name]) => name).join(', ')})
    SELECT ${copied.map(([name, value]) => value ?? name).join(', ')} FROM run, numbers WHERE key = ${key} ORDER BY n;
    INSERT INTO run_tag (run_key, tag, is_sub, created_at)
    SELECT run.key, tag, run.is_sub, run.created_at FROM run, run_tag WHERE run_key = ${key} AND run.key > ${key}`;
  await database.perform(() => database.execute(sql));
}

/** A run with an owner, and a way to write its events. */
export interface OwnedRun {
  readonly run: RunRecord;
  readonly epoch: number;
  /** Writes one batch; the events happen one millisecond apart from `at` on. */
  write(events: readonly RunEvent[], at?: number): Promise<BatchOutcome>;
}

export async function createOwnedRun(store: RunStore, overrides: Partial<NewRun> = {}): Promise<OwnedRun> {
  const run = await store.createRun(describeRun({ owner, ...overrides }), 1000);
  const { epoch } = run;
  const write = async (events: readonly RunEvent[], at = 2000): Promise<BatchOutcome> =>
    (
      await store.append([
        { runKey: run.key, epoch, events: events.map((event, index) => ({ at: at + index, event })) },
      ])
    ).outcomes[0]!;
  return { run, epoch, write };
}

/** The error that an operation throws; fails the test when it does not throw. */
export async function thrownBy(operation: () => unknown): Promise<AppError> {
  try {
    await operation();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('nothing was rejected');
}

let count = 0;

/** Adds a queued run; by default in the queue `q`, of a workflow that allows one active run. */
export function enqueue(
  store: Store,
  waiting: Partial<Waiting> = {},
  run: Partial<NewRun> = {},
  at = 1000,
): Promise<RunRecord> {
  count += 1;
  return store.createRun(
    describeRun({
      queue: 'q',
      dagRunId: `queued-${count}`,
      ...run,
      waiting: { priority: 0, maxActiveRuns: 1, ...waiting },
    }),
    at,
  );
}

/** Claims what can be claimed of `q`. */
export const claim = (store: Store, limit?: number, max = 100): Promise<QueueClaim[]> =>
  store.queues.claimNext({ queue: 'q', max, owner, ...(limit === undefined ? {} : { limit }) }, 2000);

/** Makes a claimed run active. */
export async function begin(store: Store, { runKey, epoch }: QueueClaim): Promise<void> {
  await store.append([
    { runKey, epoch, events: [{ at: 3000, event: { type: 'run.started', logDir: 'logs/x' } }] },
  ]);
}

export async function finish(store: Store, { runKey, epoch }: QueueClaim): Promise<void> {
  const event = { type: 'run.finished', status: 'succeeded', outputs: {} } as const;
  await store.append([{ runKey, epoch, events: [{ at: 4000, event }] }]);
}

export const idsOf = (claims: readonly { readonly dagRunId: string }[]): string[] =>
  claims.map(({ dagRunId }) => dagRunId);
