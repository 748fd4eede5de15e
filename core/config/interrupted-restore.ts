import { existsSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { AppError, messageOf } from '../base/errors.ts';

/** What a backup may be without, and the restored home goes on with. */
export const carriedOver = ['logs', 'desktop'] as const;

const stagedMark = '.restoring-';
const keptMark = '.before-restore-';

/** Beside a home, what the restore of this process unpacks into. */
export const stagedHome = (home: string): string => `${home}${stagedMark}${process.pid}`;

/**
 * Beside a home, a free place for the one that was there before a restore; the latest restore of several within the
 * same second comes last by name.
 */
export function keptHome(home: string, time: string): string {
  const place = `${home}${keptMark}${time}`;
  let free = place;
  for (let number = 2; existsSync(free); number += 1) free = `${place}-${number}`;
  return free;
}

/** Absolute paths of what restores that were killed have unpacked beside a home. */
export const listLeftStages = (home: string): string[] =>
  listBeside(home, stagedMark).filter((stage) => !isRestoring(stage));

/**
 * Puts a home back that a restore, which was killed, had moved away and not replaced yet: a restore is done as a whole
 * or not at all. To be called before anything is made in a home. Throws `still_running` while the restore goes on,
 * `home_unusable` when the home cannot be put back.
 * @returns what was done, in words; undefined when there was nothing to do
 */
export function putBackHome(home: string): string | undefined {
  if (!isEmpty(home)) return undefined;
  const kept = listBeside(home, keptMark).toSorted().at(-1);
  const stages = listBeside(home, stagedMark);
  // Without anything unpacked, somebody has removed the home after a restore.
  if (kept === undefined || stages.length === 0) return undefined;
  const underWay = stages.find(isRestoring);
  if (underWay !== undefined) {
    throw new AppError(
      'still_running',
      `The home ${home} is being restored by process ${pidOf(underWay)}. Wait until it finishes; if that process is not a restore, rename ${kept} to ${home}.`,
    );
  }
  try {
    for (const stage of stages) giveBack(stage, kept);
    if (existsSync(home)) rmdirSync(home);
    renameSync(kept, home);
  } catch (thrown) {
    // Somebody else was quicker.
    if (!isEmpty(home)) return undefined;
    throw new AppError(
      'home_unusable',
      `A restore of the home ${home} was interrupted, and the previous home cannot be put back: ${messageOf(thrown)}. Rename ${kept} to ${home}.`,
      { cause: thrown },
    );
  }
  for (const stage of stages) rmSync(stage, { recursive: true, force: true });
  return `A restore of the home ${home} was interrupted. The previous home was put back; restore again if you want the backup.`;
}

/** Gives what was carried over from a home back to it. */
export function giveBack(stage: string, kept: string): void {
  for (const name of carriedOver) {
    const [from, to] = [path.join(stage, name), path.join(kept, name)];
    if (existsSync(from) && !existsSync(to)) renameSync(from, to);
  }
}

function listBeside(home: string, mark: string): string[] {
  const parent = path.dirname(home);
  const names = existsSync(parent) ? readdirSync(parent) : [];
  const start = path.basename(home) + mark;
  return names.filter((name) => name.startsWith(start)).map((name) => path.join(parent, name));
}

const pidOf = (stage: string): number => Number(stage.slice(stage.lastIndexOf('-') + 1));

/** Whether another process may still be at it. */
function isRestoring(stage: string): boolean {
  const pid = pidOf(stage);
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function isEmpty(home: string): boolean {
  try {
    return readdirSync(home).length === 0;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'ENOENT';
  }
}
