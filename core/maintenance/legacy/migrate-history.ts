import { mkdir, readFile, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Clock, toIso } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { failPoint } from '../../base/fail-point.ts';
import { toFileError } from '../file-error.ts';
import type { ImportedRun, ImportStore } from '../ports.ts';
import { fsyncDir } from '../../files/fsync-dir.ts';
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
  migration.write();
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
  write(): void {
    const runs = [...this.#waiting.values()];
    this.#waiting.clear();
    if (runs.length === 0) return;
    failPoint('migration.before_write');
    this.runs += this.#options.dryRun ? runs.length : this.#store.importRuns(runs);
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
    if (this.#seen.has(key) || this.#store.hasRun(run)) return void (this.known += 1);
    if (!this.#options.dryRun) {
      const { copied, missing } = await copyLogs(this.#options.home, logs);
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
