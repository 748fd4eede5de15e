import { rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import type { PurgedRun } from '../ports.ts';

/** A name of `runLogDir`: the time, then the run's id. */
export const logFolderName = /^\d{8}T\d{6}Z_(.+)$/;

/** Removes what is kept of a run elsewhere than in its folder, whose absolute path it gets: in a bucket. */
export type RemoveElsewhere = (folder: string) => Promise<void>;

/**
 * Removes the log folder of a run that is gone from the store, and the folder of its workflow when that is empty
 * now. Rejects with what the system says when the run's folder cannot be removed, and with what `removeElsewhere` rejects with:
 * the folder stays then.
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

/** Removes a run's folder, with the folder above it when nothing is left there. */
export async function removeLogFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  // A run that begins now makes the folder again.
  await rmdir(path.dirname(folder)).catch(() => {});
}

/**
 * The folder that is this run's own and nothing else's, whatever the store says: its name and its place are those
 * that `runLogDir` gives. Undefined for anything else.
 */
export function findLogFolder(home: string, { name, dagRunId, logDir }: PurgedRun): string | undefined {
  if (logDir === '') return undefined;
  const folder = path.resolve(home, logDir);
  const above = path.dirname(folder);
  const isOwn = logFolderName.exec(path.basename(folder))?.[1] === dagRunId && path.basename(above) === name;
  const isInPlace = path.isAbsolute(logDir) || path.dirname(above) === path.join(home, 'logs');
  return isOwn && isInPlace ? folder : undefined;
}
