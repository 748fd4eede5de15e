import { execFile } from 'node:child_process';
import { closeSync, constants, openSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { attemptFiles } from '../../model/attempt-files.ts';
import { mayPass } from '../launch-failure.ts';

/** A pipe whose other end a child is to have as its stdout or stderr. */
export interface OutputPipe {
  readonly source: Readable & { unref(): unknown };
  /** Descriptor of the end to write to. */
  readonly childEnd: number;
}

/**
 * Two real pipes for the output of a child, undefined where there are none to be had. What Node calls a pipe is a
 * socket, and Linux does not open sockets by name: `echo … > /dev/stderr` would fail in every script. A named pipe
 * whose name is gone is the only other kind that Node can get. Rejects when the system has no process or file to
 * spare at the moment.
 * @param folder absolute, private; holds the names for a moment
 */
export async function makeOutputPipes(folder: string): Promise<[OutputPipe, OutputPipe] | undefined> {
  if (process.platform !== 'linux') return undefined;
  const paths = [attemptFiles.stdout, attemptFiles.stderr].map((name) => join(folder, `${name}.pipe`));
  const opened: number[] = [];
  try {
    await promisify(execFile)('mkfifo', ['-m', '600', '--', ...paths]);
    const ends = paths.map((path) => {
      // Without a reader, opening to write would wait for one.
      const read = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
      opened.push(read);
      const childEnd = openSync(path, 'w');
      opened.push(childEnd);
      return { read, childEnd };
    });
    const [stdout, stderr] = ends.map(({ read, childEnd }) => ({
      source: new Socket({ fd: read, readable: true, writable: false }),
      childEnd,
    }));
    return [stdout!, stderr!];
  } catch (thrown) {
    for (const descriptor of opened) closeSync(descriptor);
    // Otherwise there is no such program, or no such thing on that file system: sockets must do.
    if (mayPass(thrown as NodeJS.ErrnoException)) throw thrown;
    return undefined;
  } finally {
    for (const path of paths) rmSync(path, { force: true });
  }
}
