import { mkdir, readFile, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Clock, toIso } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { failPoint } from '../../base/fail-point.ts';
import { toFileError } from '../file-error.ts';
import type { ImportedRun, ImportStore } from '../ports.ts';
import { syncFolder } from '../../files/sync-folder.ts';
import { copyLogs } from './copy-logs.ts';
import {
  findLegacyFolders,
  type LegacyFile,
  type LegacyFolder,
  migratedPrefix,
} from './find-legacy-files.ts';
import { parseLegacyFile } from './legacy-status.ts';
import { toImportedRun } from './to-imported-run.ts';

/** What to migrate, and where to. */
export interface MigrationWish {
  /** Absolute; holds a folder for each workflow. */
  readonly dataDir: string;
  /** Absolute. */
  readonly home: string;
  /** Only say what would be done. */
  readonly dryRun: boolean;
  readonly clock: Pick<Clock, 'now'>;
  /** Is told how many of how many files have been read. */
  readonly onProgress?: (done: number, all: number) => void;
}

/** A file that gave no run, and why. */
export interface LeftFile {
  readonly file: string;
  readonly reason: string;
}

/** What a migration has read and done. */
export interface MigrationReport {
  readonly folders: number;
  readonly files: number;
  /** Runs that were added. */
  readonly runs: number;
  /** Files with runs that are in the history already, from an earlier migration or another file. */
  readonly known: number;
  /** Files in which there is no run. They move with the others. */
  readonly skipped: readonly LeftFile[];
  /** Files that could not be read. Their folders stay where they are. */
  readonly failed: readonly LeftFile[];
  readonly logsCopied: number;
  readonly logsMissing: number;
  readonly foldersMoved: number;
  /** Where the old folders are now. */
  readonly movedTo?: string;
}

/** Runs added in one transaction. */
const runsAtOnce = 100;
const mostBytes = 256 * 1024 * 1024;

/**
 * Takes the history of release 1.16 over, the newest runs first. What has been added is on disk before a folder is
 * moved away, and what is there already is not added again, so it may be interrupted anywhere and done again.
 * Rejects with `not_found` for a data directory that is not there, and with `storage_full`.
 */
export async function migrateHistory(wish: MigrationWish, store: ImportStore): Promise<MigrationReport> {
  const folders = await listFolders(wish.dataDir);
  const files = folders.flatMap((folder) => folder.files).sort((a, b) => b.at - a.at);
  const migration = new Migration(wish, store);
  for (const [index, file] of files.entries()) {
    wish.onProgress?.(index, files.length);
    await migration.take(file);
  }
  migration.write();
  const moved = wish.dryRun ? undefined : await moveFolders(wish, folders, migration.failed);
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
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT')
      throw new AppError('not_found', `Folder ${dataDir} not found.`, {
        details: { hint: 'Set the folder with --data-dir.' },
      });
    throw toFileError(thrown, 'Cannot read the old history');
  }
}

class Migration {
  runs = 0;
  known = 0;
  logsCopied = 0;
  logsMissing = 0;
  readonly skipped: LeftFile[] = [];
  readonly failed: (LeftFile & { readonly folder?: string })[] = [];
  readonly #wish: MigrationWish;
  readonly #store: ImportStore;
  readonly #waiting = new Map<string, ImportedRun>();
  /** A dry run adds nothing that could be asked for. */
  readonly #seen = new Set<string>();

  constructor(wish: MigrationWish, store: ImportStore) {
    this.#wish = wish;
    this.#store = store;
  }

  async take(file: LegacyFile): Promise<void> {
    try {
      await this.#take(file);
    } catch (thrown) {
      const refusal = toFileError(thrown, 'Cannot migrate the history');
      if (!(refusal instanceof AppError) || refusal.code !== 'home_unusable') throw refusal;
      this.failed.push({ file: file.path, folder: file.folder, reason: refusal.message });
    }
  }

  /** Writes what has been read. */
  write(): void {
    const runs = [...this.#waiting.values()];
    this.#waiting.clear();
    if (runs.length === 0) return;
    failPoint('migration.before_write');
    this.runs += this.#wish.dryRun ? runs.length : this.#store.importRuns(runs);
    failPoint('migration.written');
  }

  async #take(file: LegacyFile): Promise<void> {
    const { size } = await stat(file.path);
    if (size > mostBytes) return void this.skipped.push({ file: file.path, reason: 'the file is too large' });
    const status = parseLegacyFile(await readFile(file.path, 'utf8'));
    if (status === undefined)
      return void this.skipped.push({ file: file.path, reason: 'the file contains no run' });
    const converted = toImportedRun(status, path.relative(this.#wish.dataDir, file.path), file);
    if ('reason' in converted) return void this.skipped.push({ file: file.path, reason: converted.reason });
    const { run, logs } = converted;
    const key = `${run.name}/${run.dagRunId}`;
    if (this.#seen.has(key) || this.#store.hasRun(run)) return void (this.known += 1);
    if (!this.#wish.dryRun) {
      const { copied, missing } = await copyLogs(this.#wish.home, logs);
      this.logsCopied += copied;
      this.logsMissing += missing;
    }
    this.#seen.add(key);
    this.#waiting.set(key, run);
    if (this.#waiting.size >= runsAtOnce) this.write();
  }
}

/** Moves every folder that was read as a whole. */
async function moveFolders(
  { dataDir, clock }: MigrationWish,
  folders: readonly LegacyFolder[],
  failed: readonly { readonly folder?: string }[],
): Promise<{ count: number; movedTo?: string; failed: LeftFile[] }> {
  const kept = new Set(failed.map(({ folder }) => folder));
  const movable = folders.filter((folder) => !kept.has(folder.path));
  if (movable.length === 0) return { count: 0, failed: [] };
  const time = toIso(clock.now())
    .replaceAll(/[-:]|\.\d+Z/g, '')
    .replace('T', '_');
  const movedTo = path.join(dataDir, `${migratedPrefix}${time}`);
  const unmoved: LeftFile[] = [];
  await mkdir(movedTo, { recursive: true, mode: 0o700 });
  for (const folder of movable) {
    try {
      await rename(folder.path, path.join(movedTo, path.basename(folder.path)));
      failPoint('migration.folder_moved');
    } catch (thrown) {
      unmoved.push({ file: folder.path, reason: `cannot be moved: ${(thrown as Error).message}` });
    }
  }
  await syncFolder(movedTo);
  await syncFolder(dataDir);
  return { count: movable.length - unmoved.length, movedTo, failed: unmoved };
}
