import { existsSync } from 'node:fs';
import { link, open, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Clock, toIso } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { HomePaths } from '../../config/home.ts';
import { copyDatabase, knownSchema } from '../../store/maintenance/copy-database.ts';
import { copyServer } from '../databases/copy-server.ts';
import { toFileError } from '../file-error.ts';
import { fsyncDir } from '../../files/fsync-dir.ts';
import { BackupWriter } from './backup-writer.ts';
import { listHomeFiles } from './list-files.ts';
import { type BackupManifest, databaseName, gatewayDatabaseName, manifestName } from './manifest.ts';

/** Source and target of a backup. */
export interface BackupOptions {
  readonly paths: HomePaths;
  /** Absolute; in a directory, the file name contains the time. */
  readonly target: string;
  readonly logs: boolean;
  readonly version: string;
  readonly clock: Pick<Clock, 'now'>;
  /** Dumps the embedded gateway database; absent to exclude it. */
  readonly gatewayDatabase?: (() => Promise<Uint8Array>) | undefined;
  /** Called with the number of files done and in total. */
  readonly onProgress?: (done: number, all: number) => void;
}

/** Result of a backup. */
export interface BackupReport {
  readonly file: string;
  /** Size of the archive. */
  readonly bytes: number;
  readonly manifest: BackupManifest;
}

/**
 * Backs up a home to one archive while it is in use: the database as a snapshot, every other file with its current
 * content. The archive is renamed to its final name only when complete and flushed to disk. Rejects with `not_found`,
 * `already_exists`, `storage_full`, `home_unusable`, `database_corrupt` or `database_newer`.
 */
export async function writeBackup(options: BackupOptions): Promise<BackupReport> {
  const file = await chooseFile(options);
  const partialFile = `${file}.${process.pid}.part`;
  const copy = `${partialFile}.db`;
  const dump = `${partialFile}.pg`;
  try {
    const manifest = await writeArchive(options, partialFile, { copy, dump });
    // Unlike a rename, a link never replaces an existing file.
    await link(partialFile, file).catch((error: unknown) => {
      throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? alreadyThere(file) : error;
    });
    await rm(partialFile);
    await fsyncDir(path.dirname(file));
    return { file, bytes: (await stat(file)).size, manifest };
  } catch (error) {
    throw toFileError(error, 'Cannot write the backup');
  } finally {
    // If they cannot be removed, they could not be created either, and that error is reported.
    for (const leftover of [partialFile, copy, dump]) await rm(leftover, { force: true }).catch(() => {});
  }
}

const alreadyThere = (file: string): AppError =>
  new AppError('already_exists', `${file} already exists. Choose another name.`, {
    details: { hint: 'Use a folder to get a file name with a timestamp.' },
  });

async function chooseFile({ paths, target, clock }: BackupOptions): Promise<string> {
  if (!existsSync(paths.home)) throw new AppError('not_found', `Home ${paths.home} not found.`);
  const stats = await stat(target).catch(() => undefined);
  if (stats !== undefined && !stats.isDirectory()) throw alreadyThere(target);
  if (stats === undefined && !existsSync(path.dirname(target)))
    throw new AppError('not_found', `Folder ${path.dirname(target)} not found.`);
  const time = toIso(clock.now()).replaceAll(/[-:]|\.\d+/g, '');
  return stats === undefined ? target : path.join(target, `stepwright-${time}.tar.gz`);
}

/** Copies the database; a new home has none. */
const copyFile = (database: string, copy: string): number =>
  existsSync(database) ? copyDatabase(database, copy) : knownSchema;

async function writeArchive(
  options: BackupOptions,
  partialFile: string,
  { copy, dump }: { readonly copy: string; readonly dump: string },
): Promise<BackupManifest> {
  const { paths, logs, version, clock, gatewayDatabase, onProgress } = options;
  const handle = await open(partialFile, 'wx', 0o600);
  const writer = new BackupWriter(handle);
  try {
    const { database, databaseUrl } = paths;
    const createdAt = toIso(clock.now());
    const schema = databaseUrl === undefined ? copyFile(database, copy) : copyServer(databaseUrl, copy);
    const all = (await listHomeFiles(paths, logs)).filter(({ file }) => !file.startsWith(partialFile));
    if (existsSync(copy)) await writer.addFile(databaseName, copy);
    if (gatewayDatabase) {
      await writeFile(dump, await gatewayDatabase(), { flag: 'wx', mode: 0o600 });
      await writer.addFile(gatewayDatabaseName, dump);
    }
    for (const [index, { path: name, file }] of all.entries()) {
      onProgress?.(index, all.length);
      await writer.addFile(name, file);
    }
    const manifest: BackupManifest = { format: 1, version, schema, createdAt, logs, files: writer.files };
    await writer.finish(manifestName, `${JSON.stringify(manifest, null, 1)}\n`);
    await handle.sync();
    return manifest;
  } catch (error) {
    await writer.discard();
    throw error;
  } finally {
    await handle.close();
  }
}
