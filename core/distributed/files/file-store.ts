import { randomUUID, createHash } from 'node:crypto';
import { constants, createReadStream, createWriteStream, type Stats } from 'node:fs';
import { mkdir, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../base/errors.ts';
import { checkArtifactName, attemptFiles } from '../../model/run.ts';
import type { FileRange, ArtifactInfo, LogStream, TaskFiles } from '../../run/remote/task-files.ts';
import { parseRunFolder } from './run-folders.ts';

/** Directory of a run's artifacts, relative to the run directory. */
const artifactsFolder = 'artifacts';
/** Directory of incomplete artifacts. */
const uploadsFolder = '.artifact-parts';

/** Accessible only to the owner, like all files of a home. */
const fileMode = 0o600;
const folderMode = 0o700;

export interface FileStoreOptions {
  /** Whether appended data is flushed before the response; workers then delete their copy. */
  readonly syncsLogs?: boolean;
}

/**
 * Stores logs and artifacts in the run directories, on a file system shared by hosts and coordinators (usually one
 * machine). There is no other copy to mirror or delete.
 */
export class FileStore implements TaskFiles {
  readonly #syncsLogs: boolean;

  constructor({ syncsLogs = true }: FileStoreOptions = {}) {
    this.#syncsLogs = syncsLogs;
  }

  async logSize(attemptDir: string, stream: LogStream): Promise<number> {
    return (await statOptional(logFile(attemptDir, stream)))?.size ?? 0;
  }

  async appendLog(
    attemptDir: string,
    stream: LogStream,
    offset: number,
    bytes: Uint8Array,
  ): Promise<{ readonly size: number }> {
    const handle = await openLog(logFile(attemptDir, stream));
    try {
      const { size } = await handle.stat();
      const newBytes = bytes.subarray(Math.max(0, size - offset));
      if (offset > size || newBytes.length === 0) return { size };
      // Written at its offset instead of appended, so that concurrent writes of the same part are idempotent.
      await writeAll(handle, newBytes, size);
      if (this.#syncsLogs) await handle.datasync();
      return { size: size + newBytes.length };
    } finally {
      await handle.close();
    }
  }

  async putArtifact(
    run: string,
    name: string,
    content: Readable,
  ): Promise<{ readonly bytes: number; readonly sha256: string }> {
    const target = artifactFile(run, name);
    const uploadDir = path.join(run, uploadsFolder);
    const draft = path.join(uploadDir, randomUUID());
    await mkdir(uploadDir, { recursive: true, mode: folderMode });
    const measured = createHashingStream();
    try {
      await pipeline(
        content,
        measured.stream,
        createWriteStream(draft, { flags: 'wx', mode: fileMode, flush: true }),
      );
      await makeFolder(run, path.dirname(target), name);
      await rename(draft, target).catch((error: unknown) => {
        throw explainClash(name, error);
      });
    } finally {
      await rm(draft, { force: true });
    }
    return measured.result();
  }

  async getArtifact(
    run: string,
    name: string,
    { offset, length = Infinity }: FileRange = { offset: 0 },
  ): Promise<ArtifactInfo | undefined> {
    const file = artifactFile(run, name);
    const found = await statOptional(file);
    if (found === undefined || !found.isFile() || !(await isBelow(path.join(run, artifactsFolder), file)))
      return undefined;
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
    // Reads up to the current size; a replacement is a different file.
    const { size, mtimeMs, ino } = await handle.stat();
    const known = { bytes: size, at: mtimeMs, mark: `${ino}-${mtimeMs}-${size}` };
    const end = Math.min(size, offset + length);
    if (offset < end) return { ...known, content: handle.createReadStream({ start: offset, end: end - 1 }) };
    await handle.close();
    return { ...known, content: Readable.from([]) };
  }

  async listArtifacts(
    run: string,
  ): Promise<readonly { readonly name: string; readonly bytes: number; readonly at: number }[]> {
    const root = path.join(run, artifactsFolder);
    const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(ignoreMissing);
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name));
    const found = await Promise.all(
      files.map(async (file) => {
        const known = await statOptional(file);
        const name = path.relative(root, file).split(path.sep).join('/');
        return known === undefined ? [] : [{ name, bytes: known.size, at: known.mtimeMs }];
      }),
    );
    return found.flat().sort((first, second) => (first.name < second.name ? -1 : 1));
  }

  /** Copies logs only from directories that another home on this machine has used. */
  async mirrorLogs(attemptDir: string, reportedDir = attemptDir): Promise<void> {
    if (reportedDir === attemptDir) return;
    await Promise.all(
      logStreams.map((stream) => this.#copyOn(logFile(reportedDir, stream), attemptDir, stream)),
    );
  }

  async sealLogs(): Promise<void> {}

  async removeRun(): Promise<void> {}

  /** Appends the part of a log that the target lacks. */
  async #copyOn(from: string, attemptDir: string, stream: LogStream): Promise<void> {
    const [sourceSize, targetSize] = [
      (await statOptional(from))?.size ?? 0,
      await this.logSize(attemptDir, stream),
    ];
    if (sourceSize <= targetSize) return;
    await (await openLog(logFile(attemptDir, stream))).close();
    await pipeline(
      createReadStream(from, { start: targetSize, end: sourceSize - 1 }),
      createWriteStream(logFile(attemptDir, stream), { flags: 'r+', start: targetSize }),
    );
  }
}

const logStreams: readonly LogStream[] = ['stdout', 'stderr'];

function logFile(attemptDir: string, stream: LogStream): string {
  parseRunFolder(attemptDir);
  return path.join(attemptDir, attemptFiles[stream]);
}

const artifactFile = (run: string, name: string): string =>
  path.join(run, artifactsFolder, ...checkArtifactName(name).split('/'));

type Handle = Awaited<ReturnType<typeof open>>;

/**
 * Opens a log, creating it and its directory if missing. Symbolic links are not followed, because a step could have
 * created one.
 */
async function openLog(file: string): Promise<Handle> {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW;
  try {
    return await open(file, flags, fileMode);
  } catch (error) {
    if (getCode(error) === 'ELOOP')
      throw new AppError(
        'conflict',
        `The log ${path.basename(file)} is a symbolic link, which is not allowed.`,
      );
    if (getCode(error) !== 'ENOENT') throw explainFull(error);
    await mkdir(path.dirname(file), { recursive: true, mode: folderMode });
    return await open(file, flags, fileMode);
  }
}

async function writeAll(handle: Handle, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    const chunk = await handle.write(bytes, written, bytes.length - written, position + written).catch(fail);
    written += chunk.bytesWritten;
  }
}

function fail(error: unknown): never {
  throw explainFull(error);
}

function explainFull(error: unknown): unknown {
  if (getCode(error) !== 'ENOSPC' && getCode(error) !== 'EDQUOT') return error;
  const message = 'The disk with the run logs is full.';
  return new AppError('storage_full', message, { cause: error });
}

/** Creates the parent directories of an artifact, which must not contain symbolic links. */
async function makeFolder(run: string, folder: string, name: string): Promise<void> {
  const root = path.join(run, artifactsFolder);
  await mkdir(folder, { recursive: true, mode: folderMode }).catch((error: unknown) => {
    throw explainClash(name, error);
  });
  if (!(await isBelow(root, folder)))
    throw new AppError('bad_request', `The artifact "${name}" is outside the folder of its run.`);
}

async function isBelow(root: string, attemptDir: string): Promise<boolean> {
  const [realRoot, realPath] = await Promise.all([realpath(root), realpath(attemptDir)]);
  return realPath === realRoot || realPath.startsWith(realRoot + path.sep);
}

function explainClash(name: string, error: unknown): unknown {
  if (!['EEXIST', 'ENOTDIR', 'EISDIR', 'ENOTEMPTY'].includes(getCode(error))) return explainFull(error);
  return new AppError(
    'conflict',
    `The artifact name "${name}" conflicts with an existing artifact: a name cannot be both a file and a folder.`,
    { cause: error },
  );
}

async function statOptional(file: string): Promise<Stats | undefined> {
  try {
    return await stat(file);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(getCode(error))) return undefined;
    throw error;
  }
}

function ignoreMissing(error: unknown): [] {
  if (getCode(error) === 'ENOENT') return [];
  throw error;
}

const getCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Number and hash of bytes in a stream. */
export interface HashingStream {
  readonly stream: Transform;
  /** Call this after the stream has ended. */
  result(): { readonly bytes: number; readonly sha256: string };
}

/** Returns a pass-through stream that counts and hashes its bytes. */
export function createHashingStream(): HashingStream {
  const hash = createHash('sha256');
  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      hash.update(chunk);
      done(null, chunk);
    },
  });
  return { stream, result: () => ({ bytes, sha256: hash.digest('hex') }) };
}
