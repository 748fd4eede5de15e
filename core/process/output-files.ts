import { dirname, join, resolve } from 'node:path';
import { pipeline, Writable, type Transform, type Readable } from 'node:stream';
import { constants, closeSync, openSync, rmSync, mkdirSync, statSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { Socket } from 'node:net';
import { promisify } from 'node:util';
import { attemptFiles } from '../model/run.ts';
import { explainCopyError, explainOpenError, OutputOpenError, isTransient } from './launch-failure.ts';
import type { OutputRelay } from './launcher.ts';
import type { StartLock } from './spawn.ts';

const streams = ['stdout', 'stderr'] as const;
type StreamName = (typeof streams)[number];

/** The logs of an attempt and their copies, with one stream each for stdout and stderr. */
export class OutputFiles {
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly #logs: readonly OutputFile[];
  readonly #copies: readonly OutputFile[];
  readonly #finished: Promise<unknown>;

  private constructor(logs: Opened, copies: Opened, mask: OutputRelay['mask']) {
    this.#logs = [...logs.values()];
    this.#copies = [...new Set(copies.values())];
    const [stdout, stderr] = streams.map((name) =>
      makeStream(
        [logs.get(name), copies.get(name)].filter((file) => file !== undefined),
        mask?.(name),
      ),
    );
    this.stdout = stdout!.head;
    this.stderr = stderr!.head;
    this.#finished = Promise.all([stdout!.finished, stderr!.finished]);
  }

  /** Opens everything or nothing, but the fence stays passed. Rejects with `OutputOpenError`. */
  static async open(
    attemptDir: string,
    relay: OutputRelay = { copies: {} },
    fence: StartLock = { isPassed: false },
  ): Promise<OutputFiles> {
    const logs: Opened = new Map();
    const copies: Opened = new Map();
    try {
      logs.set('stdout', await openLog(attemptDir, attemptFiles.stdout, !fence.isPassed));
      fence.isPassed = true;
      logs.set('stderr', await openLog(attemptDir, attemptFiles.stderr, false));
      for (const name of streams) {
        const path = relay.copies[name];
        if (path !== undefined) copies.set(name, await openCopy(name, resolve(path), copies));
      }
      return new OutputFiles(logs, copies, relay.mask);
    } catch (error) {
      await Promise.all([...logs.values(), ...copies.values()].map((file) => file.close()));
      throw error;
    }
  }

  /**
   * Ends both streams and resolves when all their data is in the files, with a message about data that could not be
   * written. Never rejects.
   */
  async close(): Promise<string | undefined> {
    this.stdout.end();
    this.stderr.end();
    await this.#finished;
    const problems: string[] = [];
    for (const file of this.#logs) {
      const error = await file.close();
      if (error) problems.push(`the log ${file.path} is incomplete: ${error.message}`);
    }
    for (const file of this.#copies) {
      const error = await file.close();
      if (error) problems.push(`the copy of the output in ${file.path} is incomplete: ${error.message}`);
    }
    return problems.length === 0 ? undefined : problems.join('; ');
  }
}

type Opened = Map<StreamName, OutputFile>;

async function openLog(attemptDir: string, name: string, isNew: boolean): Promise<OutputFile> {
  try {
    return await OutputFile.open(join(attemptDir, name), isNew);
  } catch (error) {
    throw new OutputOpenError(explainOpenError(error as NodeJS.ErrnoException, attemptDir), error);
  }
}

/** Opens a copy. Two streams into the same file share one open file, so that their output is interleaved in order. */
async function openCopy(stream: StreamName, path: string, opened: Opened): Promise<OutputFile> {
  for (const openFile of opened.values()) if (openFile.path === path) return openFile;
  try {
    makeFolder(dirname(path));
    return await OutputFile.open(path);
  } catch (error) {
    throw new OutputOpenError(explainCopyError(error as NodeJS.ErrnoException, { stream, path }), error);
  }
}

interface OutputStream {
  readonly head: Writable;
  /** Resolves when everything has been written. */
  readonly finished: Promise<void>;
}

function makeStream(files: readonly OutputFile[], head: Transform | undefined): OutputStream {
  const sink = new Writable({
    write(bytes: Buffer, _encoding, done) {
      void appendToAll(files, bytes, done);
    },
  });
  const finished = new Promise<void>((onClosed) => sink.once('close', () => onClosed()));
  if (!head) return { head: sink, finished };
  // When one of them fails, both close.
  pipeline(head, sink, () => {});
  return { head, finished };
}

async function appendToAll(files: readonly OutputFile[], bytes: Buffer, done: () => void): Promise<void> {
  await Promise.all(files.map((file) => file.append(bytes)));
  done();
}

/** Does not wait for a reader, in case the path is a named pipe. */
const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0);
const newFlags = flags | constants.O_EXCL;

/** An append-only file, written in the order of the calls. After an error it accepts no more data. */
class OutputFile {
  readonly path: string;
  readonly #handle: FileHandle;
  #last: Promise<void> = Promise.resolve();
  #error: Error | undefined;

  private constructor(path: string, handle: FileHandle) {
    this.path = path;
    this.#handle = handle;
  }

  /**
   * Opens the file, creating it private to this user when it is missing. Rejects with file system errors.
   * @param isNew it must be missing; `EEXIST` otherwise
   */
  static async open(path: string, isNew = false): Promise<OutputFile> {
    return new OutputFile(path, await open(path, isNew ? newFlags : flags, 0o600));
  }

  /** Resolves when the bytes are written, or dropped after an error. Never rejects. */
  append(bytes: Uint8Array): Promise<void> {
    this.#last = this.#last.then(() => this.#attempt(() => this.#handle.appendFile(bytes)));
    return this.#last;
  }

  /** @returns the error of the file since it was opened, if any */
  async close(): Promise<Error | undefined> {
    await this.#last;
    const failed = this.#error;
    this.#error = undefined;
    await this.#attempt(() => this.#handle.close());
    return failed ?? this.#error;
  }

  async #attempt(operation: () => Promise<void>): Promise<void> {
    if (this.#error) return;
    try {
      await operation();
    } catch (error) {
      this.#error = error as Error;
    }
  }
}

/** A pipe whose other end becomes the stdout or stderr of a child. */
export interface OutputPipe {
  readonly source: Readable & { unref(): unknown };
  /** Its name, until its other end is opened (`openChildEnd`) or it is discarded. */
  readonly path: string;
}

/** Creates named pipes, private to this user. Rejects with the system error. */
export type PipeMaker = (paths: readonly string[]) => Promise<unknown>;

/** Creates them with the system's program; Node cannot. */
export const makeNamedPipes: PipeMaker = (paths) =>
  promisify(execFile)('mkfifo', ['-m', '600', '--', ...paths]);

/**
 * Creates two real pipes for the output of a child; undefined where they are not available. What Node calls a pipe is a
 * socket, and Linux does not open sockets by name: `echo … > /dev/stderr` would fail in every script. An unlinked named
 * pipe is the only other kind that Node can get. Rejects when the system has no free process or file at the moment.
 * @param folder absolute, private; contains the names for a moment
 */
export async function makeOutputPipes(
  folder: string,
  make: PipeMaker,
): Promise<[OutputPipe, OutputPipe] | undefined> {
  if (process.platform !== 'linux') return undefined;
  const paths = [attemptFiles.stdout, attemptFiles.stderr].map((name) => join(folder, `${name}.pipe`));
  const opened: number[] = [];
  try {
    await make(paths);
    for (const path of paths) opened.push(openReader(path));
    const [stdout, stderr] = paths.map((path, index) => ({
      source: new Socket({ fd: opened[index]!, readable: true, writable: false }),
      path,
    }));
    return [stdout!, stderr!];
  } catch (error) {
    for (const descriptor of opened) closeSync(descriptor);
    removePipes(paths);
    // Otherwise the program is missing, or the file system does not support it: use sockets.
    if (isTransient(error as NodeJS.ErrnoException)) throw error;
    return undefined;
  }
}

/** Opens the write end and removes the name. Throws the system error. */
export function openChildEnd(path: string): number {
  // Without a reader, opening for writing would block, and the engine that was the reader may have ended.
  const reader = openReader(path);
  try {
    return openSync(path, 'w');
  } finally {
    closeSync(reader);
    removePipes([path]);
  }
}

/** Removes existing names. */
export function removePipes(paths: readonly string[]): void {
  for (const path of paths) rmSync(path, { force: true });
}

const openReader = (path: string): number => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);

/**
 * Creates a directory and its missing parents, one by one from the deepest one that exists: Node's `recursive` never
 * returns if a directory exists and does not allow subdirectories, as below `/proc`. Throws file system errors;
 * `ENOTDIR` when a file is in the way.
 * @param mode of each created directory
 */
export function makeFolder(folder: string, mode?: number): void {
  for (const next of findMissingFolders(folder).toReversed()) {
    try {
      mkdirSync(next, mode);
    } catch (error) {
      // Another process may have created it meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/**
 * Returns the missing directories among a directory and its parents, deepest first. Throws `ENOTDIR` when a file is in
 * the way.
 */
export function findMissingFolders(folder: string): string[] {
  const missing: string[] = [];
  let above = folder;
  while (statSync(above, { throwIfNoEntry: false }) === undefined && dirname(above) !== above) {
    missing.push(above);
    above = dirname(above);
  }
  if (!statSync(above).isDirectory()) throw Object.assign(new Error(above), { code: 'ENOTDIR' });
  return missing;
}
