import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { RunRef } from '../model/run/run.ts';
import { logFolderName } from '../run/kept/remove-logs.ts';

/**
 * Log folders of a workflow that belong to no run of the history, as a crash between the removal of a
 * run and that of its logs leaves them. Absolute paths. Folders whose names are not those of runs are nobody's here.
 * @param logs absolute: the folder of all logs
 */
export async function findOrphanLogs(
  logs: string,
  name: string,
  isKnown: (run: RunRef) => boolean,
): Promise<string[]> {
  const folder = path.join(logs, name);
  // The folders first: a run is in the history before it has one.
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.flatMap((entry) => {
    const dagRunId = entry.isDirectory() ? logFolderName.exec(entry.name)?.[1] : undefined;
    return dagRunId === undefined || isKnown({ name, dagRunId }) ? [] : [path.join(folder, entry.name)];
  });
}
