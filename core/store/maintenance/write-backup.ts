import { existsSync } from 'node:fs';
import { link, open, rm, stat, writeFile, type FileHandle, readdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import { type Clock, toIso } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { type HomePaths, listExternalFolders } from '../../home/config/home.ts';
import { fsyncDir } from '../../process/write-file-durable.ts';
import { copyDatabase, knownSchema } from '../check-database.ts';
import { copyServer } from './copy-database.ts';
import { toFileError } from './open-home.ts';
import {
  type BackupManifest,
  databaseName,
  gatewayDatabaseName,
  manifestName,
  type BackupFile,
} from './backup-manifest.ts';

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
    await fsyncDir(dirname(file));
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
  if (stats === undefined && !existsSync(dirname(target)))
    throw new AppError('not_found', `Folder ${dirname(target)} not found.`);
  const time = toIso(clock.now()).replaceAll(/[-:]|\.\d+/g, '');
  return stats === undefined ? target : join(target, `stepwright-${time}.tar.gz`);
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
    const schema = databaseUrl === undefined ? copyFile(database, copy) : await copyServer(databaseUrl, copy);
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

const chunkBytes = 1024 * 1024;

/** Writes files into a compressed archive, each with its current content. */
class BackupWriter {
  readonly #pack = pack();
  readonly #flow: Promise<void>;
  readonly files: BackupFile[] = [];

  /** @param target open for writing; the caller closes it */
  constructor(target: FileHandle) {
    const sink = async (chunks: AsyncIterable<Uint8Array>): Promise<void> => {
      for await (const chunk of chunks) await target.appendFile(chunk);
    };
    this.#flow = pipeline(this.#pack as unknown as Readable, createGzip({ level: 6 }), sink);
    // Errors are reported by the next operation.
    this.#flow.catch(() => {});
  }

  /** Adds a file; false if it no longer exists. A growing file is truncated to its initial size. */
  async addFile(path: string, file: string): Promise<boolean> {
    const handle = await openIfThere(file);
    if (handle === undefined) return false;
    try {
      const { size, mtimeMs } = await handle.stat();
      const hash = createHash('sha256');
      const entry = this.#begin(path, size, mtimeMs);
      const buffer = Buffer.allocUnsafe(chunkBytes);
      for (let remaining = size; remaining > 0;) {
        const { bytesRead } = await handle.read(buffer, 0, Math.min(remaining, chunkBytes));
        // A file that was truncated meanwhile is padded, because the archive already contains its size.
        const chunk = Buffer.from(
          bytesRead > 0 ? buffer.subarray(0, bytesRead) : Buffer.alloc(Math.min(remaining, chunkBytes)),
        );
        hash.update(chunk);
        await entry.write(chunk);
        remaining -= chunk.length;
      }
      await entry.end();
      this.files.push({ path, bytes: size, sha256: hash.digest('hex') });
      return true;
    } finally {
      await handle.close();
    }
  }

  /** Adds generated text as a file, and ends the archive. */
  async finish(path: string, text: string): Promise<void> {
    const bytes = Buffer.from(text);
    const entry = this.#begin(path, bytes.length, 0);
    await entry.write(bytes);
    await entry.end();
    this.#pack.finalize();
    await this.#flow;
  }

  /** Stops writing. */
  async discard(): Promise<void> {
    this.#pack.destroy();
    await this.#flow.catch(() => {});
  }

  #begin(name: string, size: number, mtimeMs: number) {
    let finishEntry: (error?: Error | null) => void = () => {};
    const entryEnded = new Promise<void>((resolve, reject) => {
      finishEntry = (error) => (error ? reject(error) : resolve());
    });
    entryEnded.catch(() => {});
    const mtime = new Date(Math.max(0, mtimeMs));
    const sink = this.#pack.entry({ name, size, mode: 0o600, mtime, type: 'file' }, (error) =>
      finishEntry(error),
    );
    const raceFailure = (step: Promise<void>): Promise<void> => Promise.race([step, this.#flow]);
    return {
      write: async (chunk: Buffer): Promise<void> => {
        if (sink.write(chunk)) return;
        await raceFailure(new Promise<void>((resolve) => sink.once('drain', () => resolve())));
      },
      end: async (): Promise<void> => {
        sink.end(undefined);
        await raceFailure(entryEnded);
      },
    };
  }
}

async function openIfThere(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** A file of the home to back up. */
export interface HomeFile {
  /** Relative to the home, with forward slashes. */
  readonly path: string;
  /** Absolute. */
  readonly file: string;
}

/** Excluded: the window state of the app. */
const excludedNames = new Set(['desktop']);

/**
 * Data files outside the database, which is copied separately. The session key is excluded: after a restore users log
 * in again, including those who had been logged out.
 */
const dataFiles = ['editor', 'secrets.json', 'tokens.json', 'users.json'];

/**
 * Lists all files of a home except the database: workflows, configuration, secret files and all others; logs only on
 * request. Links are followed, because their targets are what the home uses; sockets and the like are skipped.
 * Directories that are configured elsewhere get their default path. Sorted by path.
 */
async function listHomeFiles(paths: HomePaths, logs: boolean): Promise<HomeFile[]> {
  const { home } = paths;
  const moved = listExternalFolders(paths);
  const excludedPaths = new Set(moved.map(({ folder }) => folder));
  const names = new Set([...(await readdir(home)), ...moved.map(({ name }) => name)]);
  const included = [...names].filter((name) => !excludedNames.has(name) && (logs || name !== 'logs'));
  const files: HomeFile[] = [];
  for (const name of included.sort()) {
    const isHomeFolder = name === 'dags' || name === 'logs' || name === 'data';
    const entry = { path: name, file: isHomeFolder ? paths[name] : join(home, name) };
    for (const homeFile of name === 'data' ? dataFiles.map((file) => toChild(entry, file)) : [entry])
      await collect(homeFile, { ancestors: new Set(), excludedPaths }, files);
  }
  return files;
}

const toChild = ({ path: ancestors, file }: HomeFile, name: string): HomeFile => ({
  path: `${ancestors}/${name}`,
  file: join(file, name),
});

interface ListContext {
  /** Real paths of the parent directories; a link to one of them would recurse forever. */
  readonly ancestors: ReadonlySet<string>;
  /** Absolute paths of directories with their own place in the backup. */
  readonly excludedPaths: ReadonlySet<string>;
}

async function collect(
  entry: HomeFile,
  { ancestors, excludedPaths }: ListContext,
  files: HomeFile[],
): Promise<void> {
  // The file was deleted, or the link is broken.
  const stats = await stat(entry.file).catch(() => undefined);
  if (stats?.isFile()) files.push(entry);
  if (!stats?.isDirectory()) return;
  const realFile = await realpath(entry.file);
  if (ancestors.has(realFile)) return;
  const visited = new Set([...ancestors, realFile]);
  for (const name of (await readdir(entry.file)).sort()) {
    const inner = toChild(entry, name);
    if (!excludedPaths.has(inner.file)) await collect(inner, { ancestors: visited, excludedPaths }, files);
  }
}
