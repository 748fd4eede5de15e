import { createHash, randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { isThere } from '../../process/ending/kill-tree.ts';
import { hasProcessTable, isAlive, readPidStart } from '../../process/living/process-table.ts';

/** This machine, by which one that shares the folder is told. */
const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

/** The beginning of the names of unfinished files for a path. A name has its limit in bytes; some of it is enough. */
const prefixFor = (path: string): string => `.${basename(path).slice(0, 40)}.${machine}-`;

/** Where a file is written until it is complete: beside its place, under a name that tells who writes it. */
export function namePartFile(path: string): string {
  const owner = `${process.pid}-${readPidStart(process.pid)}`;
  return join(dirname(path), `${prefixFor(path)}${owner}-${randomBytes(4).toString('hex')}.part`);
}

const ownerAndRest = /^(\d+)-(\d*)-[0-9a-f]{8}\.part$/;

/** Removes what engines of this machine that were killed have left beside a path. Never rejects. */
export async function removeLeftParts(path: string): Promise<void> {
  const folder = dirname(path);
  const prefix = prefixFor(path);
  try {
    for (const name of await readdir(folder)) {
      const [, pid, pidStart = ''] =
        ownerAndRest.exec(name.startsWith(prefix) ? name.slice(prefix.length) : '') ?? [];
      if (pid !== undefined && isOwnerGone(Number(pid), pidStart))
        await rm(join(folder, name), { force: true });
    }
  } catch {
    // A folder that cannot be read or changed is told of when the file itself is written.
  }
}

const isOwnerGone = (pid: number, pidStart: string): boolean =>
  hasProcessTable ? !isAlive({ pid, pidStart }) : !isThere(pid);
