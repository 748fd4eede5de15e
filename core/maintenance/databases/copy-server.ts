import { chmodSync, closeSync, fsyncSync, openSync } from 'node:fs';
import { knownSchema } from '../../store/maintenance/copy-database.ts';
import { transfer } from '../../store/maintenance/transfer.ts';
import { openDatabase, openServerDatabase } from '../../store/open-store.ts';

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
      throw file.describeError(error);
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
