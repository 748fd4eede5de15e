import { createHash, randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { processExists } from '../../process/kill/kill-tree.ts';
import { hasProcessTable, isAlive, readPidStart } from '../../process/tracking/process-table.ts';

/** Identifies this machine among machines that share the folder. */
const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

/**
 * Returns the prefix of the names of partial files for a path. Truncated, because file names have a length limit in
 * bytes.
 */
const prefixFor = (path: string): string => `.${basename(path).slice(0, 40)}.${machine}-`;

/**
 * Returns the temporary path of a file until it is complete, in the same folder. The name identifies the process that
 * writes it.
 */
export function namePartFile(path: string): string {
  const owner = `${process.pid}-${readPidStart(process.pid)}`;
  return join(dirname(path), `${prefixFor(path)}${owner}-${randomBytes(4).toString('hex')}.part`);
}

const ownerAndRest = /^(\d+)-(\d*)-[0-9a-f]{8}\.part$/;

/** Deletes partial files next to a path that killed engines of this machine have left. Never rejects. */
export async function removeStaleParts(path: string): Promise<void> {
  const folder = dirname(path);
  const prefix = prefixFor(path);
  try {
    for (const name of await readdir(folder)) {
      const [, pid, pidStart = ''] =
        ownerAndRest.exec(name.startsWith(prefix) ? name.slice(prefix.length) : '') ?? [];
      if (pid !== undefined && hasOwnerEnded(Number(pid), pidStart))
        await rm(join(folder, name), { force: true });
    }
  } catch {
    // If the folder is not readable or writable, writing the file reports the error.
  }
}

const hasOwnerEnded = (pid: number, pidStart: string): boolean =>
  hasProcessTable ? !isAlive({ pid, pidStart }) : !processExists(pid);
