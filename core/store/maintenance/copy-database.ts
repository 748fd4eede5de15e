import { chmodSync, closeSync, fsyncSync, openSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../base/errors.ts';
import type { HomePaths } from '../../home/config/home.ts';
import type { Database } from '../database/database.ts';
import { isDatabaseInUse } from '../storage.ts';
import { transfer, type CopiedTable } from '../transfer.ts';
import { knownSchema } from '../check-database.ts';
import { openDatabase, openServerDatabase } from '../open-store.ts';

/** Source and target of a copy. */
export interface DatabaseCopy {
  /** Locations for display. */
  readonly from: string;
  readonly to: string;
  readonly tables: readonly CopiedTable[];
}

/** Hosts and coordinators with a heartbeat within this time count as active, in milliseconds. */
const activeHostMs = 60_000;

const activeHostsSql = /* sql */ `
  SELECT (SELECT count(*) FROM host WHERE beat_at > ? AND left_at IS NULL AND kind <> 'cli') AS hosts`;

/**
 * Copies the database of a home into an empty one of either kind.
 * @throws AppError `bad_request` if both are the same, `still_running` if the source is in use; otherwise as
 * `transfer`
 */
export function copyHomeDatabase(from: DatabaseLocation, to: DatabaseLocation, now: number): DatabaseCopy {
  if ('file' in from && isDatabaseInUse(from.file)) throw inUse(from.file);
  const source = openLocation(from);
  try {
    if ('url' in from) assertNoLiveHost(source, now);
    const target = openLocation(to);
    try {
      if (target.name === source.name) throw sameLocationError(source.name);
      return { from: source.name, to: target.name, tables: transfer(source, target) };
    } catch (error) {
      throw target.toStoreError(error);
    } finally {
      target.close();
    }
  } finally {
    source.close();
  }
}

function assertNoLiveHost(source: Database, now: number): void {
  const { hosts } = source.get<{ hosts: number }>(activeHostsSql, now - activeHostMs)!;
  if (hosts > 0) throw inUse(source.name);
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
export function copyServer(url: string, target: string): number {
  const source = openServerDatabase(url);
  try {
    const file = openDatabase(target);
    try {
      chmodSync(target, 0o600);
      transfer(source, file);
    } catch (error) {
      throw file.toStoreError(error);
    } finally {
      file.close();
    }
  } finally {
    source.close();
  }
  const descriptor = openSync(target, 'r+');
  fsyncSync(descriptor);
  closeSync(descriptor);
  return knownSchema;
}

/** Location of a database: a file, or a schema of a PostgreSQL server. */
type DatabaseLocation = { readonly file: string } | { readonly url: string };

/** Returns the location of a home's database. */
export const getHomeLocation = ({ database, databaseUrl }: HomePaths): DatabaseLocation =>
  databaseUrl === undefined ? { file: database } : { url: databaseUrl };

/**
 * Parses a database argument: a server URL or a path.
 * @param cwd base of a relative path
 */
export const parseLocation = (text: string, cwd: string): DatabaseLocation =>
  /^postgres(ql)?:/.test(text) ? { url: text } : { file: path.resolve(cwd, text) };

/** Opens a database, created or migrated if needed. Throws as `openStore`. */
const openLocation = (location: DatabaseLocation): Database =>
  'url' in location ? openServerDatabase(location.url) : openDatabase(location.file);
