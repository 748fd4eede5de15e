import { randomUUID } from 'node:crypto';
import { constants, createReadStream, createWriteStream, type Stats } from 'node:fs';
import { mkdir, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../base/errors.ts';
import { checkArtifactName } from '../../model/run/artifact-name.ts';
import { attemptFiles } from '../../model/run/attempt-files.ts';
import type { FilePart, FoundArtifact, LogStream, TaskFiles } from '../files-port.ts';
import { measure } from './measure.ts';
import { splitPlace } from './places.ts';

/** Where the artifacts of a run lie, below its folder. */
const artifactsFolder = 'artifacts';
/** Where they are until they are whole. */
const partsFolder = '.artifact-parts';

/** Read and written by its owner alone, as everything of a home. */
const fileMode = 0o600;
const folderMode = 0o700;

export interface FileStoreOptions {
  /** Whether an append is on the disk when it is answered: workers remove theirs then. */
  readonly syncsLogs?: boolean;
}

/**
 * Logs and artifacts in the folders of the runs, on a file system that hosts and coordinators share (one machine, as a
 * rule). Nothing is kept elsewhere, so that there is nothing to mirror or to remove.
 */
export class FileStore implements TaskFiles {
  readonly #syncsLogs: boolean;

  constructor({ syncsLogs = true }: FileStoreOptions = {}) {
    this.#syncsLogs = syncsLogs;
  }

  async logSize(place: string, stream: LogStream): Promise<number> {
    return (await statOrNothing(logFile(place, stream)))?.size ?? 0;
  }

  async appendLog(
    place: string,
    stream: LogStream,
    offset: number,
    bytes: Uint8Array,
  ): Promise<{ readonly size: number }> {
    const handle = await openLog(logFile(place, stream));
    try {
      const { size } = await handle.stat();
      const fresh = bytes.subarray(Math.max(0, size - offset));
      if (offset > size || fresh.length === 0) return { size };
      // At its place, not at the end: two that append the same write the same.
      await writeAll(handle, fresh, size);
      if (this.#syncsLogs) await handle.datasync();
      return { size: size + fresh.length };
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
    const parts = path.join(run, partsFolder);
    const draft = path.join(parts, randomUUID());
    await mkdir(parts, { recursive: true, mode: folderMode });
    const measured = measure();
    try {
      await pipeline(
        content,
        measured.stream,
        createWriteStream(draft, { flags: 'wx', mode: fileMode, flush: true }),
      );
      await makeFolder(run, path.dirname(target), name);
      await rename(draft, target).catch((thrown: unknown) => {
        throw explainClash(name, thrown);
      });
    } finally {
      await rm(draft, { force: true });
    }
    return measured.result();
  }

  async getArtifact(
    run: string,
    name: string,
    { offset, length = Infinity }: FilePart = { offset: 0 },
  ): Promise<FoundArtifact | undefined> {
    const file = artifactFile(run, name);
    const found = await statOrNothing(file);
    if (found === undefined || !found.isFile() || !(await isBelow(path.join(run, artifactsFolder), file)))
      return undefined;
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
    // As long as it is now: one that replaces it is another file.
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
    const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(noneAbsent);
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name));
    const found = await Promise.all(
      files.map(async (file) => {
        const known = await statOrNothing(file);
        const name = path.relative(root, file).split(path.sep).join('/');
        return known === undefined ? [] : [{ name, bytes: known.size, at: known.mtimeMs }];
      }),
    );
    return found.flat().sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  /** Folders are this machine's: only those are copied from that another home on it has had written to. */
  async mirrorLogs(place: string, told = place): Promise<void> {
    if (told === place) return;
    await Promise.all(logStreams.map((stream) => this.#copyOn(logFile(told, stream), place, stream)));
  }

  async sealLogs(): Promise<void> {}

  async removeRun(): Promise<void> {}

  /** Appends what a log has beyond the end of the one at the place. */
  async #copyOn(from: string, place: string, stream: LogStream): Promise<void> {
    const [there, here] = [(await statOrNothing(from))?.size ?? 0, await this.logSize(place, stream)];
    if (there <= here) return;
    await (await openLog(logFile(place, stream))).close();
    await pipeline(
      createReadStream(from, { start: here, end: there - 1 }),
      createWriteStream(logFile(place, stream), { flags: 'r+', start: here }),
    );
  }
}

const logStreams: readonly LogStream[] = ['stdout', 'stderr'];

function logFile(place: string, stream: LogStream): string {
  splitPlace(place);
  return path.join(place, attemptFiles[stream]);
}

const artifactFile = (run: string, name: string): string =>
  path.join(run, artifactsFolder, ...checkArtifactName(name).split('/'));

type Handle = Awaited<ReturnType<typeof open>>;

/** Opens a log where it is, or makes it, with its folder. A link is not followed: a step may have laid one. */
async function openLog(file: string): Promise<Handle> {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW;
  try {
    return await open(file, flags, fileMode);
  } catch (thrown) {
    if (codeOf(thrown) === 'ELOOP')
      throw new AppError(
        'conflict',
        `The log ${path.basename(file)} is a symbolic link, which is not allowed.`,
      );
    if (codeOf(thrown) !== 'ENOENT') throw explainFull(thrown);
    await mkdir(path.dirname(file), { recursive: true, mode: folderMode });
    return await open(file, flags, fileMode);
  }
}

async function writeAll(handle: Handle, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    const part = await handle.write(bytes, written, bytes.length - written, position + written).catch(fail);
    written += part.bytesWritten;
  }
}

function fail(thrown: unknown): never {
  throw explainFull(thrown);
}

function explainFull(thrown: unknown): unknown {
  if (codeOf(thrown) !== 'ENOSPC' && codeOf(thrown) !== 'EDQUOT') return thrown;
  const message = 'The disk with the run logs is full.';
  return new AppError('storage_full', message, { cause: thrown });
}

/** The folders above an artifact; they must not lead elsewhere by a link. */
async function makeFolder(run: string, folder: string, name: string): Promise<void> {
  const root = path.join(run, artifactsFolder);
  await mkdir(folder, { recursive: true, mode: folderMode }).catch((thrown: unknown) => {
    throw explainClash(name, thrown);
  });
  if (!(await isBelow(root, folder)))
    throw new AppError('bad_request', `The artifact "${name}" is outside the folder of its run.`);
}

async function isBelow(root: string, place: string): Promise<boolean> {
  const [realRoot, real] = await Promise.all([realpath(root), realpath(place)]);
  return real === realRoot || real.startsWith(realRoot + path.sep);
}

function explainClash(name: string, thrown: unknown): unknown {
  if (!['EEXIST', 'ENOTDIR', 'EISDIR', 'ENOTEMPTY'].includes(codeOf(thrown))) return explainFull(thrown);
  return new AppError(
    'conflict',
    `The artifact name "${name}" conflicts with an existing artifact: a name cannot be both a file and a folder.`,
    { cause: thrown },
  );
}

async function statOrNothing(file: string): Promise<Stats | undefined> {
  try {
    return await stat(file);
  } catch (thrown) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(thrown))) return undefined;
    throw thrown;
  }
}

function noneAbsent(thrown: unknown): [] {
  if (codeOf(thrown) === 'ENOENT') return [];
  throw thrown;
}

const codeOf = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
