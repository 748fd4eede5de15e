import type { StorageInfo } from '../../run/ports.ts';
import type { Database } from '../database/database.ts';
import { SqliteDatabase } from '../database/sqlite-database.ts';
import { checkPages } from './check-database.ts';
import { checkServer, readServerStorage } from './server-storage.ts';

export const readStorage = (database: Database): StorageInfo =>
  database.read(() => ({
    ...(database instanceof SqliteDatabase ? readFileStorage(database) : readServerStorage(database)),
    runs: database.get<{ runs: number }>('SELECT count(*) AS runs FROM run')!.runs,
  }));

function readFileStorage(database: SqliteDatabase): Omit<StorageInfo, 'runs'> {
  const pageSize = database.pragma('page_size');
  return {
    kind: 'sqlite',
    release: database.get<{ release: string }>('SELECT sqlite_version() AS release')!.release,
    bytes: database.pragma('page_count') * pageSize,
    freeBytes: database.pragma('freelist_count') * pageSize,
    version: database.pragma('user_version'),
  };
}

export const check = (database: Database): string[] =>
  database.read(() =>
    database instanceof SqliteDatabase ? checkPages(database, 'integrity_check') : checkServer(database),
  );
