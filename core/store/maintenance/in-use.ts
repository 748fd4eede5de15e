import { existsSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { SqliteDatabase } from '../database/sqlite-database.ts';

/**
 * Whether another process, or another part of this one, has a database open. Leaving WAL mode needs exclusive access,
 * and a killed process holds no lock, so the answer is exact; the next opener enters WAL mode again. A file too damaged
 * for SQLite counts as free, because it cannot be used.
 */
export function isDatabaseInUse(file: string): boolean {
  if (!existsSync(file)) return false;
  const database = new SqliteDatabase(file);
  try {
    return !database.withoutWaiting(() => database.execute('PRAGMA journal_mode = DELETE'));
  } catch (error) {
    if (error instanceof Sqlite.SqliteError) return false;
    throw error;
  } finally {
    database.close();
  }
}
