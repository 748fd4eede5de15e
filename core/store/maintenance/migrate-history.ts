import { mkdir, readFile, rename, stat, chmod, copyFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { constants, type Dirent } from 'node:fs';
import { type Clock, toIso } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { failPoint } from '../../base/fail-point.ts';
import { fsyncDir } from '../../process/write-file-durable.ts';
import type { ImportedRun, ImportStore } from '../types/maintenance.ts';
import { toFileError } from './open-home.ts';
import { parseLegacyFile } from './legacy-status.ts';
import { toImportedRun, type LegacyLog } from './to-imported-run.ts';

/** Source and target of a migration. */
export interface MigrationOptions {
  /** Absolute; contains a directory per workflow. */
  readonly dataDir: string;
  /** Absolute. */
  readonly home: string;
  /** Only report what would be done. */
  readonly dryRun: boolean;
  readonly clock: Pick<Clock, 'now'>;
  /** Called with the number of files read and in total. */
  readonly onProgress?: (done: number, all: number) => void;
}

/** A file without a migrated run, with the reason. */
export interface UnmigratedFile {
  readonly file: string;
  readonly reason: string;
}

/** Result of a migration. */
export interface MigrationReport {
  readonly folders: number;
  readonly files: number;
  /** Number of added runs. */
  readonly runs: number;
  /** Number of files whose runs are already in the history, from an earlier migration or another file. */
  readonly known: number;
  /** Files without a run. They are moved with the others. */
  readonly skipped: readonly UnmigratedFile[];
  /** Unreadable files. Their directories are not moved. */
  readonly failed: readonly UnmigratedFile[];
  readonly logsCopied: number;
  readonly logsMissing: number;
  readonly foldersMoved: number;
  /** New location of the old directories. */
  readonly movedTo?: string;
}

/** Number of runs per transaction. */
const runsAtOnce = 100;
const maxBytes = 256 * 1024 * 1024;

/**
 * Migrates the history of release 1.16, newest runs first. Runs are on disk before their directory is moved, and
 * existing runs are not added again, so that it can be interrupted and repeated. Rejects with `not_found` for a
 * missing data directory, and with `storage_full`.
 */
export async function migrateHistory(
  options: MigrationOptions,
  store: ImportStore,
): Promise<MigrationReport> {
  const folders = await listFolders(options.dataDir);
  const files = folders.flatMap((folder) => folder.files).sort((a, b) => b.at - a.at);
  const migration = new Migration(options, store);
  for (const [index, file] of files.entries()) {
    options.onProgress?.(index, files.length);
    await migration.take(file);
  }
  await migration.write();
  const moved = options.dryRun ? undefined : await moveFolders(options, folders, migration.failed);
  const { runs, known, skipped, failed, logsCopied, logsMissing } = migration;
  return {
    folders: folders.length,
    files: files.length,
    runs,
    known,
    skipped,
    failed: [...failed, ...(moved?.failed ?? [])],
    logsCopied,
    logsMissing,
    foldersMoved: moved?.count ?? 0,
    ...(moved?.movedTo === undefined ? {} : { movedTo: moved.movedTo }),
  };
}

async function listFolders(dataDir: string): Promise<LegacyFolder[]> {
  try {
    return await findLegacyFolders(dataDir);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new AppError('not_found', `Folder ${dataDir} not found.`, {
        details: { hint: 'Set the folder with --data-dir.' },
      });
    throw toFileError(error, 'Cannot read the old history');
  }
}

class Migration {
  runs = 0;
  known = 0;
  logsCopied = 0;
  logsMissing = 0;
  readonly skipped: UnmigratedFile[] = [];
  readonly failed: (UnmigratedFile & { readonly folder?: string })[] = [];
  readonly #options: MigrationOptions;
  readonly #store: ImportStore;
  readonly #waiting = new Map<string, ImportedRun>();
  /** In a dry run, the store does not contain earlier runs of this migration. */
  readonly #seen = new Set<string>();

  constructor(options: MigrationOptions, store: ImportStore) {
    this.#options = options;
    this.#store = store;
  }

  async take(file: LegacyFile): Promise<void> {
    try {
      await this.#take(file);
    } catch (error) {
      const failure = toFileError(error, 'Cannot migrate the history');
      if (!(failure instanceof AppError) || failure.code !== 'home_unusable') throw failure;
      this.failed.push({ file: file.path, folder: file.folder, reason: failure.message });
    }
  }

  /** Writes the collected runs. */
  async write(): Promise<void> {
    const runs = [...this.#waiting.values()];
    this.#waiting.clear();
    if (runs.length === 0) return;
    failPoint('migration.before_write');
    this.runs += this.#options.dryRun ? runs.length : await this.#store.importRuns(runs);
    failPoint('migration.written');
  }

  async #take(file: LegacyFile): Promise<void> {
    const { size } = await stat(file.path);
    if (size > maxBytes) return void this.skipped.push({ file: file.path, reason: 'the file is too large' });
    const status = parseLegacyFile(await readFile(file.path, 'utf8'));
    if (status === undefined)
      return void this.skipped.push({ file: file.path, reason: 'the file contains no run' });
    const converted = toImportedRun(status, path.relative(this.#options.dataDir, file.path), file);
    if ('reason' in converted) return void this.skipped.push({ file: file.path, reason: converted.reason });
    const { run, logs } = converted;
    const key = `${run.name}/${run.dagRunId}`;
    if (this.#seen.has(key) || (await this.#store.hasRun(run))) return void (this.known += 1);
    if (!this.#options.dryRun) {
      const { copied, missing } = await copyLogs(this.#options.home, logs);
      this.logsCopied += copied;
      this.logsMissing += missing;
    }
    this.#seen.add(key);
    this.#waiting.set(key, run);
    if (this.#waiting.size >= runsAtOnce) await this.write();
  }
}

/** Moves every completely read directory. */
async function moveFolders(
  { dataDir, clock }: MigrationOptions,
  folders: readonly LegacyFolder[],
  failed: readonly { readonly folder?: string }[],
): Promise<{ count: number; movedTo?: string; failed: UnmigratedFile[] }> {
  const failedFolders = new Set(failed.map(({ folder }) => folder));
  const movable = folders.filter((folder) => !failedFolders.has(folder.path));
  if (movable.length === 0) return { count: 0, failed: [] };
  const time = toIso(clock.now())
    .replaceAll(/[-:]|\.\d+Z/g, '')
    .replace('T', '_');
  const movedTo = path.join(dataDir, `${migratedPrefix}${time}`);
  const unmigrated: UnmigratedFile[] = [];
  await mkdir(movedTo, { recursive: true, mode: 0o700 });
  for (const folder of movable) {
    try {
      await rename(folder.path, path.join(movedTo, path.basename(folder.path)));
      failPoint('migration.folder_moved');
    } catch (error) {
      unmigrated.push({ file: folder.path, reason: `cannot be moved: ${(error as Error).message}` });
    }
  }
  await fsyncDir(movedTo);
  await fsyncDir(dataDir);
  return { count: movable.length - unmigrated.length, movedTo, failed: unmigrated };
}

/**
 * Copies the log files of a recorded run into the home; missing files and those that are not plain files are skipped.
 * Can be repeated after an interrupted migration.
 * @returns numbers of copied and missing files
 */
async function copyLogs(
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

/** A directory with the history of one workflow. */
interface LegacyFolder {
  /** Absolute. */
  readonly path: string;
  readonly files: readonly LegacyFile[];
}

interface LegacyFile {
  /** Absolute. */
  readonly path: string;
  readonly folder: string;
  /** Name of the workflow, from the directory. */
  readonly name: string;
  /** Start of the run, epoch milliseconds. */
  readonly at: number;
}

/** Prefix of the directory for migrated files. */
const migratedPrefix = 'history_migrated_';

/**
 * Finds the directories with history files in a data directory, in the layout of 1.16:
 * `<workflow>[-<hash>]/<workflow>.<time>.<id>.dat`.
 */
async function findLegacyFolders(dataDir: string): Promise<LegacyFolder[]> {
  const entries = await readdir(dataDir, { withFileTypes: true });
  const folders: LegacyFolder[] = [];
  for (const entry of entries) {
    if (!entry.isDirectory() || entry.name.startsWith(migratedPrefix)) continue;
    const folder = path.join(dataDir, entry.name);
    const inside = await readdir(folder, { withFileTypes: true });
    const files: LegacyFile[] = [];
    for (const file of inside)
      if (isHistory(file)) files.push(await readLegacyFile(folder, entry.name, file.name));
    if (files.length > 0) folders.push({ path: folder, files });
  }
  return folders;
}

const isHistory = (entry: Dirent): boolean => entry.isFile() && entry.name.endsWith('.dat');

async function readLegacyFile(folder: string, folderName: string, fileName: string): Promise<LegacyFile> {
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
