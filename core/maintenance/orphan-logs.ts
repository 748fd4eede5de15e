import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { RunRef } from '../model/run/run.ts';
import { logFolderName } from '../run/retention/remove-logs.ts';

/**
 * Finds log directories of a workflow without a run, which a crash between deleting a run and its logs leaves behind.
 * Absolute paths. Directories without a valid run name are ignored.
 * @param logs absolute path of the log directory
 */
export async function findOrphanLogs(
  logs: string,
  name: string,
  isKnown: (run: RunRef) => boolean,
): Promise<string[]> {
  const folder = path.join(logs, name);
  // List the directories first, because a run is in the history before its directory exists.
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.flatMap((entry) => {
    const dagRunId = entry.isDirectory() ? logFolderName.exec(entry.name)?.[1] : undefined;
    return dagRunId === undefined || isKnown({ name, dagRunId }) ? [] : [path.join(folder, entry.name)];
  });
}
