import { existsSync } from 'node:fs';
import { link, open, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Clock, toIso } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { HomePaths } from '../../config/home.ts';
import { copyDatabase, knownSchema } from '../../store/maintenance/copy-database.ts';
import { copyServer } from '../databases/copy-server.ts';
import { toFileError } from '../file-error.ts';
import { syncFolder } from '../../files/sync-folder.ts';
import { BackupWriter } from './backup-writer.ts';
import { listHomeFiles } from './list-files.ts';
import { type BackupManifest, databaseName, gatewayDatabaseName, manifestName } from './manifest.ts';

/** What to back up, and where to. */
export interface BackupWish {
  readonly paths: HomePaths;
  /** Absolute; a folder gets a file with the time in its name. */
  readonly target: string;
  readonly logs: boolean;
  readonly version: string;
  readonly clock: Pick<Clock, 'now'>;
  /** Dumps the embedded database of the gateway; absent when it is to be left out. */
  readonly gatewayDatabase?: (() => Promise<Uint8Array>) | undefined;
  /** Is told how many of how many files are in it. */
  readonly onProgress?: (done: number, all: number) => void;
}

/** A backup that has been written. */
export interface BackupReport {
  readonly file: string;
  /** Of the archive. */
  readonly bytes: number;
  readonly manifest: BackupManifest;
}

/**
 * Writes a home into one archive while others use it: the database as of one moment, every other file as it is when
 * its turn comes. The archive appears under its name only when it is complete and on disk. Rejects with `not_found`,
 * `already_exists`, `storage_full`, `home_unusable`, `database_corrupt` or `database_newer`.
 */
export async function writeBackup(wish: BackupWish): Promise<BackupReport> {
  const file = await chooseFile(wish);
  const unfinished = `${file}.${process.pid}.part`;
  const copy = `${unfinished}.db`;
  const dump = `${unfinished}.pg`;
  try {
    const manifest = await writeArchive(wish, unfinished, { copy, dump });
    // Unlike a rename, a link takes nobody's place.
    await link(unfinished, file).catch((thrown: unknown) => {
      throw (thrown as NodeJS.ErrnoException).code === 'EEXIST' ? alreadyThere(file) : thrown;
    });
    await rm(unfinished);
    await syncFolder(path.dirname(file));
    return { file, bytes: (await stat(file)).size, manifest };
  } catch (thrown) {
    throw toFileError(thrown, 'Cannot write the backup');
  } finally {
    // Where they cannot be removed they could not be made either, which is what has to be told.
    for (const leftover of [unfinished, copy, dump]) await rm(leftover, { force: true }).catch(() => {});
  }
}

const alreadyThere = (file: string): AppError =>
  new AppError('already_exists', `${file} already exists. Choose another name.`, {
    details: { hint: 'Use a folder to get a file name with a timestamp.' },
  });

async function chooseFile({ paths, target, clock }: BackupWish): Promise<string> {
  if (!existsSync(paths.home)) throw new AppError('not_found', `Home ${paths.home} not found.`);
  const facts = await stat(target).catch(() => undefined);
  if (facts !== undefined && !facts.isDirectory()) throw alreadyThere(target);
  if (facts === undefined && !existsSync(path.dirname(target)))
    throw new AppError('not_found', `Folder ${path.dirname(target)} not found.`);
  const time = toIso(clock.now()).replaceAll(/[-:]|\.\d+/g, '');
  return facts === undefined ? target : path.join(target, `stepwright-${time}.tar.gz`);
}

/** A home that has not been used yet has no database. */
const copyFile = (database: string, copy: string): number =>
  existsSync(database) ? copyDatabase(database, copy) : knownSchema;

async function writeArchive(
  wish: BackupWish,
  unfinished: string,
  { copy, dump }: { readonly copy: string; readonly dump: string },
): Promise<BackupManifest> {
  const { paths, logs, version, clock, gatewayDatabase, onProgress } = wish;
  const handle = await open(unfinished, 'wx', 0o600);
  const writer = new BackupWriter(handle);
  try {
    const { database, databaseUrl } = paths;
    const createdAt = toIso(clock.now());
    const schema = databaseUrl === undefined ? copyFile(database, copy) : copyServer(databaseUrl, copy);
    const all = (await listHomeFiles(paths, logs)).filter(({ file }) => !file.startsWith(unfinished));
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
  } catch (thrown) {
    await writer.discard();
    throw thrown;
  } finally {
    await handle.close();
  }
}
