import { existsSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { AppError, getErrorMessage } from '../../base/errors.ts';

/** Folders that a backup may omit; the restored home then keeps the existing ones. */
export const restoreManifest = ['logs', 'desktop'] as const;

const stagingSuffix = '.restoring-';
const previousHomeSuffix = '.before-restore-';

/** Returns the folder next to a home into which this process unpacks a restore. */
export const stagingDir = (home: string): string => `${home}${stagingSuffix}${process.pid}`;

/**
 * Returns an unused path next to a home for the previous home after a restore. Of several restores within the same
 * second, the latest is last by name.
 */
export function previousHomePath(home: string, time: string): string {
  const preferred = `${home}${previousHomeSuffix}${time}`;
  let free = preferred;
  for (let number = 2; existsSync(free); number += 1) free = `${preferred}-${number}`;
  return free;
}

/** Lists the absolute paths of folders next to a home that killed restores have unpacked. */
export const listAbandonedStages = (home: string): string[] =>
  listSiblings(home, stagingSuffix).filter((stage) => !isRestoring(stage));

/**
 * Moves a home back if a killed restore had moved it away and not replaced it yet, so that a restore is atomic. Must
 * be called before anything is created in the home.
 * @returns what was done, as a message; undefined if there was nothing to do
 * @throws `still_running` while the restore is running, `home_unusable` if the home cannot be moved back
 */
export function rollbackRestore(home: string): string | undefined {
  if (!isEmpty(home)) return undefined;
  const previousHome = listSiblings(home, previousHomeSuffix).toSorted().at(-1);
  const stages = listSiblings(home, stagingSuffix);
  // If nothing is unpacked, the home was deleted by a user after a restore.
  if (previousHome === undefined || stages.length === 0) return undefined;
  const inProgress = stages.find(isRestoring);
  if (inProgress !== undefined) {
    throw new AppError(
      'still_running',
      `The home ${home} is being restored by process ${getPid(inProgress)}. Wait until it finishes; if that process is not a restore, rename ${previousHome} to ${home}.`,
    );
  }
  try {
    for (const stage of stages) restoreFolders(stage, previousHome);
    if (existsSync(home)) rmdirSync(home);
    renameSync(previousHome, home);
  } catch (error) {
    // Another process has already created the home.
    if (!isEmpty(home)) return undefined;
    throw new AppError(
      'home_unusable',
      `A restore of the home ${home} was interrupted, and the previous home cannot be restored: ${getErrorMessage(error)}. Rename ${previousHome} to ${home}.`,
      { cause: error },
    );
  }
  for (const stage of stages) rmSync(stage, { recursive: true, force: true });
  return `A restore of the home ${home} was interrupted. The previous home was restored. To use the backup, run the restore again.`;
}

/** Moves the carried-over folders back to the previous home. */
export function restoreFolders(stage: string, previousHome: string): void {
  for (const name of restoreManifest) {
    const [from, to] = [path.join(stage, name), path.join(previousHome, name)];
    if (existsSync(from) && !existsSync(to)) renameSync(from, to);
  }
}

function listSiblings(home: string, suffix: string): string[] {
  const parent = path.dirname(home);
  const names = existsSync(parent) ? readdirSync(parent) : [];
  const start = path.basename(home) + suffix;
  return names.filter((name) => name.startsWith(start)).map((name) => path.join(parent, name));
}

const getPid = (stage: string): number => Number(stage.slice(stage.lastIndexOf('-') + 1));

/** Whether another process may still be restoring. */
function isRestoring(stage: string): boolean {
  const pid = getPid(stage);
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function isEmpty(home: string): boolean {
  try {
    return readdirSync(home).length === 0;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}
