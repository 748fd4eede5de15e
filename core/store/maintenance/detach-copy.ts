import { rmSync } from 'node:fs';
import { corruptDatabaseError, describeStoreError } from '../database/store-error.ts';
import { openDatabase } from '../open-store.ts';
import { checkPages } from './check-database.ts';
import { endOpenRuns } from './end-open-runs.ts';
import { migrations } from '../database/migrations/migrations.ts';

/**
 * Turns a copy of a database into an independent one: checked, migrated to the schema of this release, and with all
 * active runs ended.
 * @param at epoch milliseconds
 * @param reason the error of those runs
 * @returns the number of ended runs
 */
export function detachCopy(file: string, at: number, reason: string): number {
  const database = openDatabase(file);
  try {
    const [finding] = checkPages(database, 'integrity_check');
    if (finding !== undefined) throw corruptDatabaseError(file, finding);
    return endOpenRuns(database, at, reason);
  } catch (error) {
    throw describeStoreError(error, file);
  } finally {
    database.close();
    // The backup is the copy to go back to.
    for (const { version } of migrations) rmSync(`${file}.schema-${version}.bak`, { force: true });
  }
}
