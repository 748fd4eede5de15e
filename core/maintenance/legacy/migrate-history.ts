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

/** Source and target of a migration. */
export interface MigrationWish {
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
export interface LeftFile {
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
  readonly skipped: readonly LeftFile[];
  /** Unreadable files. Their directories are not moved. */
  readonly failed: readonly LeftFile[];
  readonly logsCopied: number;
  readonly logsMissing: number;
  readonly foldersMoved: number;
  /** New location of the old directories. */
  readonly movedTo?: string;
}

/** Number of runs per transaction. */
const runsAtOnce = 100;
const mostBytes = 256 * 1024 * 1024;

/**
 * Migrates the history of release 1.16, newest runs first. Runs are on disk before their directory is moved, and
 * existing runs are not added again, so that it can be interrupted and repeated. Rejects with `not_found` for a
 * missing data directory, and with `storage_full`.
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
  /** In a dry run, the store does not contain earlier runs of this migration. */
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

  /** Writes the collected runs. */
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

/** Moves every completely read directory. */
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
