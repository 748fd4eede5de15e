import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

/** A directory with the history of one workflow. */
export interface LegacyFolder {
  /** Absolute. */
  readonly path: string;
  readonly files: readonly LegacyFile[];
}

export interface LegacyFile {
  /** Absolute. */
  readonly path: string;
  readonly folder: string;
  /** Name of the workflow, from the directory. */
  readonly name: string;
  /** Start of the run, epoch milliseconds. */
  readonly at: number;
}

/** Prefix of the directory for migrated files. */
export const migratedPrefix = 'history_migrated_';

/**
 * Finds the directories with history files in a data directory, in the layout of 1.16:
 * `<workflow>[-<hash>]/<workflow>.<time>.<id>.dat`.
 */
export async function findLegacyFolders(dataDir: string): Promise<LegacyFolder[]> {
  const entries = await readdir(dataDir, { withFileTypes: true });
  const folders: LegacyFolder[] = [];
  for (const entry of entries) {
    if (!entry.isDirectory() || entry.name.startsWith(migratedPrefix)) continue;
    const folder = path.join(dataDir, entry.name);
    const inside = await readdir(folder, { withFileTypes: true });
    const files: LegacyFile[] = [];
    for (const file of inside) if (isHistory(file)) files.push(await describe(folder, entry.name, file.name));
    if (files.length > 0) folders.push({ path: folder, files });
  }
  return folders;
}

const isHistory = (entry: Dirent): boolean => entry.isFile() && entry.name.endsWith('.dat');

async function describe(folder: string, folderName: string, fileName: string): Promise<LegacyFile> {
  const file = path.join(folder, fileName);
  return {
    path: file,
    folder,
    name: folderName.replace(/-[0-9a-f]{32}$/, ''),
    at: readTime(fileName) ?? (await stat(file)).mtimeMs,
  };
}

/** Parses `20250131.09:30:00.123Z`; without the Z, as in earlier releases, in local time. */
function readTime(fileName: string): number | undefined {
  const match = /\.(\d{4})(\d\d)(\d\d)\.(\d\d):?(\d\d):?(\d\d)\.(\d{3})(Z?)\./.exec(fileName);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, ms, zone] = match;
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}${zone}`);
  return Number.isNaN(time) ? undefined : time;
}
