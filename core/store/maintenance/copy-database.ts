import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { HomePaths } from '../../home/config/home.ts';
import type { Database } from '../database/database.ts';
import { assertUnused, type CopyOptions, copyRows, type CopyResult } from '../copy/copy-rows.ts';
import { FileEnd, removePartialCopy } from '../copy/file-end.ts';
import { ServerEnd } from '../copy/server-end.ts';
import { hasTable } from '../database/tables.ts';
import { readLastEventId } from '../events/events.ts';
import { isDatabaseInUse } from '../storage.ts';
import { knownSchema } from '../check-database.ts';
import { openDatabase } from '../open-store.ts';
import { readPostgresUrl } from '../postgres/open-postgres.ts';

/** Source and target of a copy. */
export interface DatabaseCopy extends CopyResult {
  /** Locations for display. */
  readonly from: string;
  readonly to: string;
}

/** Hosts and coordinators with a heartbeat within this time count as active, in milliseconds. */
const activeHostMs = 60_000;

const activeHostsSql = /* sql */ `
  SELECT (SELECT count(*) FROM host WHERE beat_at > ? AND left_at IS NULL AND kind <> 'cli') AS hosts`;

/**
 * Copies the database of a home into an empty one of either kind, or continues an interrupted copy.
 * @throws AppError `bad_request` if both are the same, `still_running` if one is in use; otherwise as `copyRows`
 */
export async function copyHomeDatabase(
  from: DatabaseLocation,
  to: DatabaseLocation,
  clock: Pick<Clock, 'now'>,
  options: CopyOptions = {},
): Promise<DatabaseCopy> {
  const [fromName, toName] = [getName(from), getName(to)];
  if (fromName === toName) throw sameLocationError(fromName);
  if ('file' in from && isDatabaseInUse(from.file)) throw inUse(from.file);
  if ('file' in to) await assertUnusedFile(to.file);
  const source = 'url' in from ? await ServerEnd.openSource(from.url) : FileEnd.openSource(from.file);
  try {
    const check = 'url' in from ? await watchSource(source.database, clock) : undefined;
    const target = 'url' in to ? await ServerEnd.openTarget(to.url) : FileEnd.openTarget(to.file);
    try {
      // An unfinished copy contains the hosts of its source.
      const { database } = target;
      const isCopying = await database.perform(() => hasTable(database, 'copy_progress'));
      if (!isCopying) await assertNoLiveHost(database, clock.now());
      const result = await copyRows(source, target, { ...options, ...(check && { beforeFinish: check }) });
      return { from: source.name, to: target.name, ...result };
    } catch (error) {
      throw target.database.toStoreError(error);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** Rejects an existing target that is in use or not empty; it is replaced by the copy. */
async function assertUnusedFile(file: string): Promise<void> {
  if (!existsSync(file)) return;
  if (isDatabaseInUse(file)) throw inUse(file);
  const database = openDatabase(file);
  try {
    await assertUnused(database);
  } finally {
    database.close();
  }
}

/** Returns a function that rejects with `still_running` when a server's database has changed since, or is used. */
async function watchSource(source: Database, clock: Pick<Clock, 'now'>): Promise<() => Promise<void>> {
  const readId = (): Promise<number> => source.perform(() => readLastEventId(source));
  await assertNoLiveHost(source, clock.now());
  const before = await readId();
  return async () => {
    await assertNoLiveHost(source, clock.now());
    if ((await readId()) !== before) throw inUse(source.name);
  };
}

async function assertNoLiveHost(database: Database, now: number): Promise<void> {
  const [row] = await database.perform(() =>
    database.all<{ hosts: number }>(activeHostsSql, now - activeHostMs),
  );
  if (row!.hosts > 0) throw inUse(database.name);
}

const sameLocationError = (name: string): AppError =>
  new AppError(
    'bad_request',
    `Cannot copy the database ${name} onto itself. ` +
      'If ENGINE_DATABASE_URL or the configuration already sets the target, use --from HOME/data/engine.db.',
  );

const inUse = (name: string): AppError =>
  new AppError(
    'still_running',
    `The database ${name} is in use, so the copy could miss changes. ` +
      'Close the app and stop all servers, schedulers and coordinators that use it (after a crash, wait a minute).',
  );

/**
 * Exports a snapshot of a server database to a new file while in use: complete, readable only by its owner, and
 * flushed to disk. "engine db copy" imports it to a server.
 * @param target must not exist
 * @returns the schema version of both
 */
export async function copyServer(url: string, target: string): Promise<number> {
  const source = await ServerEnd.openSource(url);
  try {
    removePartialCopy(target);
    const file = FileEnd.openTarget(target);
    try {
      await copyRows(source, file);
    } catch (error) {
      throw file.database.toStoreError(error);
    } finally {
      await file.close();
      removePartialCopy(target);
    }
  } finally {
    await source.close();
  }
  return knownSchema;
}

/** Location of a database: a file, or a schema of a PostgreSQL server. */
export type DatabaseLocation = { readonly file: string } | { readonly url: string };

/** Returns the location of a home's database. */
export const getHomeLocation = ({ database, databaseUrl }: HomePaths): DatabaseLocation =>
  databaseUrl === undefined ? { file: database } : { url: databaseUrl };

/**
 * Parses a database argument: a server URL or a path.
 * @param cwd base of a relative path
 */
export const parseLocation = (text: string, cwd: string): DatabaseLocation =>
  /^postgres(ql)?:/.test(text) ? { url: text } : { file: path.resolve(cwd, text) };

const getName = (location: DatabaseLocation): string =>
  'url' in location ? readPostgresUrl(location.url).name : location.file;
