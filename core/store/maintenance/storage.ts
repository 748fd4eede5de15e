import type { StorageFacts } from '../../run/ports.ts';
import type { Database } from '../database/database.ts';
import { checkPages } from './check-database.ts';

/** `RunStore.storage`. */
export const readStorage = (database: Database): StorageFacts =>
  database.read(() => {
    const pageSize = database.pragma('page_size');
    return {
      bytes: database.pragma('page_count') * pageSize,
      freeBytes: database.pragma('freelist_count') * pageSize,
      version: database.pragma('user_version'),
      runs: database.get<{ runs: number }>('SELECT count(*) AS runs FROM run')!.runs,
    };
  });

/** `RunStore.check`. */
export const check = (database: Database): string[] =>
  database.read(() => checkPages(database, 'integrity_check'));
