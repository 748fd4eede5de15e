import { rmSync } from 'node:fs';
import { corruptDatabase, describeStoreError } from '../database/store-error.ts';
import { openDatabase } from '../open-store.ts';
import { checkPages } from './check-database.ts';
import { endOpenRuns } from './end-open-runs.ts';
import { migrations } from '../database/migrations/migrations.ts';

/**
 * Makes a copy of a database one that stands for itself: checked, brought up to the schema of this release, and with
 * an end for everything that was under way in the original.
 * @param at epoch milliseconds
 * @param reason the error of those runs
 * @returns how many there were
 */
export function detachCopy(file: string, at: number, reason: string): number {
  const database = openDatabase(file);
  try {
    const [finding] = checkPages(database, 'integrity_check');
    if (finding !== undefined) throw corruptDatabase(file, finding);
    return endOpenRuns(database, at, reason);
  } catch (thrown) {
    throw describeStoreError(thrown, file);
  } finally {
    database.close();
    // The backup is the copy to go back to.
    for (const { version } of migrations) rmSync(`${file}.schema-${version}.bak`, { force: true });
  }
}
