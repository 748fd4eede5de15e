import { constants } from 'node:fs';
import { chmod, copyFile, mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { LegacyLog } from './to-imported-run.ts';

/**
 * Copies the log files of a recorded run into the home; missing files and those that are not plain files are skipped.
 * Can be repeated after an interrupted migration.
 * @returns numbers of copied and missing files
 */
export async function copyLogs(
  home: string,
  logs: readonly LegacyLog[],
): Promise<{ copied: number; missing: number }> {
  let copied = 0;
  for (const { from, to } of logs) {
    const stats = path.isAbsolute(from) ? await stat(from).catch(() => undefined) : undefined;
    if (!stats?.isFile()) continue;
    const target = path.join(home, to);
    await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
    await copyFile(from, target, constants.COPYFILE_FICLONE);
    await chmod(target, 0o600);
    copied += 1;
  }
  return { copied, missing: logs.length - copied };
}
