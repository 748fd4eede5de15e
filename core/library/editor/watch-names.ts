import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Clock, Dispose } from '../../base/clock.ts';
import { markFile } from '../file-mark.ts';
import { watchFolder } from '../watch-folder.ts';

const ending = /\.ya?ml$/;

/** The stamps of all workflow files of a folder by their names, whatever their endings. */
function readStamps(folder: string, now: number): Map<string, string> {
  const stamps = new Map<string, string>();
  for (const file of listFiles(folder)) {
    const mark = markFile(path.join(folder, file), now);
    if (mark === undefined || !mark.isFile) continue;
    const name = file.replace(ending, '');
    stamps.set(name, `${stamps.get(name) ?? ''}${file} ${mark.stamp};`);
  }
  return stamps;
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((file) => ending.test(file) && !file.startsWith('.'))
      .toSorted();
  } catch {
    return [];
  }
}

/** Names of the workflow files that a folder has now. */
export const listNames = (folder: string): Set<string> =>
  new Set(listFiles(folder).map((file) => file.replace(ending, '')));

/** Calls back with the name of each workflow file that has come, gone or been written, soon after it happened. */
export function watchNames(
  folder: string,
  clock: Pick<Clock, 'after' | 'every' | 'now'>,
  listener: (fileName: string) => void,
): Dispose {
  let known = readStamps(folder, clock.now());
  return watchFolder(folder, clock, () => {
    const before = known;
    known = readStamps(folder, clock.now());
    for (const name of new Set([...before.keys(), ...known.keys()]))
      if (before.get(name) !== known.get(name)) listener(name);
  });
}
