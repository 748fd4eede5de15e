import { statSync } from 'node:fs';
import type { SqliteDatabase } from '../database/sqlite-database.ts';
import { corruptDatabase } from '../database/store-error.ts';
import { checkPages } from './check-database.ts';

/** Bigger files are looked through only by `engine check`: this much takes some 0.2 s. */
const mostBytes = 64 * 1024 * 1024;

/** Whether a write-ahead log lies beside a database: it is in use, or its last user did not close it. */
export const hasLog = (file: string): boolean =>
  (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;

/** Throws `database_corrupt` when a file that is not big is damaged, its indexes left out. */
export function checkWhenSmall(database: SqliteDatabase): void {
  if (database.pragma('page_count') * database.pragma('page_size') > mostBytes) return;
  const [finding] = checkPages(database, 'quick_check');
  if (finding !== undefined) throw corruptDatabase(database.file, finding);
}
