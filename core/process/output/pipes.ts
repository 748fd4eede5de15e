import { execFile } from 'node:child_process';
import { closeSync, constants, openSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { attemptFiles } from '../../model/run/attempt-files.ts';
import { mayPass } from '../launch/launch-failure.ts';

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
    if (mayPass(error as NodeJS.ErrnoException)) throw error;
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
