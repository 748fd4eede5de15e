import { statSync } from 'node:fs';
import type { SqliteDatabase } from '../database/sqlite-database.ts';
import { corruptDatabaseError } from '../database/store-error.ts';
import { checkPages } from './check-database.ts';

/** Larger files are only checked by `engine check`: this size takes some 0.2 s. */
const maxBytes = 64 * 1024 * 1024;

/** Whether a write-ahead log is next to a database: it is in use, or was not closed properly. */
export const hasLog = (file: string): boolean =>
  (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;

/**
 * Checks a small file, without its indexes.
 * @throws `database_corrupt` when it is damaged
 */
export function checkWhenSmall(database: SqliteDatabase): void {
  if (database.pragma('page_count') * database.pragma('page_size') > maxBytes) return;
  const [finding] = checkPages(database, 'quick_check');
  if (finding !== undefined) throw corruptDatabaseError(database.file, finding);
}
