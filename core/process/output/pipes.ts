import { execFile } from 'node:child_process';
import { closeSync, constants, openSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { attemptFiles } from '../../model/run/attempt-files.ts';
import { mayPass } from '../launch/launch-failure.ts';

/** A pipe whose other end a child is to have as its stdout or stderr. */
export interface OutputPipe {
  readonly source: Readable & { unref(): unknown };
  /** Its name, until its other end is opened (`openChildEnd`) or it is discarded. */
  readonly path: string;
}

/** Makes named pipes, private to this user. Rejects with what the system says. */
export type PipeMaker = (paths: readonly string[]) => Promise<unknown>;

/** Makes them by the program of the system; Node cannot. */
export const makeNamedPipes: PipeMaker = (paths) =>
  promisify(execFile)('mkfifo', ['-m', '600', '--', ...paths]);

/**
 * Two real pipes for the output of a child, undefined where there are none to be had. What Node calls a pipe is a
 * socket, and Linux does not open sockets by name: `echo … > /dev/stderr` would fail in every script. A named pipe
 * whose name is gone is the only other kind that Node can get. Rejects when the system has no process or file to
 * spare at the moment.
 * @param folder absolute, private; holds the names for a moment
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
  } catch (thrown) {
    for (const descriptor of opened) closeSync(descriptor);
    removePipes(paths);
    // Otherwise there is no such program, or no such thing on that file system: sockets must do.
    if (mayPass(thrown as NodeJS.ErrnoException)) throw thrown;
    return undefined;
  }
}

/** Opens the end to write to and takes the name away. Throws what the system says. */
export function openChildEnd(path: string): number {
  // Without a reader, opening to write would wait for one, and the engine that was to read may be gone.
  const reader = openReader(path);
  try {
    return openSync(path, 'w');
  } finally {
    closeSync(reader);
    removePipes([path]);
  }
}

/** Takes names away that are there. */
export function removePipes(paths: readonly string[]): void {
  for (const path of paths) rmSync(path, { force: true });
}

const openReader = (path: string): number => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
