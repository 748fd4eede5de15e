import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { AppError } from '../../../core/base/errors.ts';
import type { RunEvent } from '../../../core/model/run-event.ts';
import type { RunOwner, RunRecord } from '../../../core/model/run.ts';
import type { BatchOutcome, NewRun, RunStore } from '../../../core/run/ports.ts';
import type { SqliteDatabase } from '../../../core/store/database/sqlite-database.ts';
import { createStore, openDatabase, type Store } from '../../../core/store/open-store.ts';
import { openNextTestDatabase, openTestDatabase } from '../../rig/describe-on-stores.ts';
import { makeTemporaryFolder } from '../../rig/temporary-folder.ts';

export const owner: RunOwner = { host: 'here', pid: 100, pidStart: '7', bootId: 'boot' };

/** A connection of its own to a database in memory; goes with the test. */
export function openMemoryDatabase(): SqliteDatabase {
  const database = openDatabase(':memory:');
  onTestFinished(() => database.close());
  return database;
}

/** A store that lives in memory and goes with the test; on a server where the test is for one. */
export const openTestStore = (): Store => createStore(openTestDatabase());

/** The same instead of those that the test had before: for tests that need many, one after the other. */
export const openNextTestStore = (): Store => createStore(openNextTestDatabase());

/** The path a database may have in a folder of its own. */
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

/** A run with an owner, and a way to write its events. */
export interface OwnedRun {
  readonly run: RunRecord;
  readonly epoch: number;
  /** Writes one batch; the events happen one millisecond apart from `at` on. */
  write(events: readonly RunEvent[], at?: number): BatchOutcome;
}

export function createOwnedRun(store: RunStore, overrides: Partial<NewRun> = {}): OwnedRun {
  const run = store.createRun(describeRun({ owner, ...overrides }), 1000);
  const { epoch } = run;
  const write = (events: readonly RunEvent[], at = 2000): BatchOutcome =>
    store.append([
      { runKey: run.key, epoch, events: events.map((event, index) => ({ at: at + index, event })) },
    ])[0]!;
  return { run, epoch, write };
}

/** What an operation refuses with; fails the test when it does not refuse. */
export function refusalOf(operation: () => unknown): AppError {
  try {
    operation();
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown;
    throw thrown;
  }
  throw new Error('nothing was refused');
}
