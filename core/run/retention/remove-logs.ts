import { rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import type { PurgedRun } from '../ports.ts';

/** Matches a directory name of `runLogDir`: the time, then the run's id. */
export const logFolderName = /^\d{8}T\d{6}Z_(.+)$/;

/** Removes a run's data that is stored outside its directory, in a bucket. Takes the absolute path of the directory. */
export type RemoveElsewhere = (folder: string) => Promise<void>;

/**
 * Deletes the log directory of a run that was deleted from the store, and the directory of its workflow if that is
 * empty afterwards. Rejects with the system error when the directory cannot be deleted, and with the error of
 * `removeElsewhere`; the directory then stays.
 * @param home absolute
 */
export async function removeRunLogs(
  home: string,
  run: PurgedRun,
  removeElsewhere?: RemoveElsewhere,
): Promise<void> {
  const folder = findLogFolder(home, run);
  if (folder === undefined) return;
  await removeElsewhere?.(folder);
  await removeLogFolder(folder);
}

/** Deletes a run's directory, and its parent directory if that is empty afterwards. */
export async function removeLogFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  // A run that starts now creates the directory again.
  await rmdir(path.dirname(folder)).catch(() => {});
}

/**
 * Returns the directory that belongs to this run alone, regardless of what the store says: its name and location must
 * match `runLogDir`. Returns undefined otherwise.
 */
export function findLogFolder(home: string, { name, dagRunId, logDir }: PurgedRun): string | undefined {
  if (logDir === '') return undefined;
  const folder = path.resolve(home, logDir);
  const above = path.dirname(folder);
  const isOwn = logFolderName.exec(path.basename(folder))?.[1] === dagRunId && path.basename(above) === name;
  const isInPlace = path.isAbsolute(logDir) || path.dirname(above) === path.join(home, 'logs');
  return isOwn && isInPlace ? folder : undefined;
}
