import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { glob, lstat } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';

/** Thrown by an expression that needs a checksum nobody has made yet. */
export class FilesWanted extends Error {
  readonly patterns: readonly string[];
  readonly key: string;

  constructor(patterns: readonly string[]) {
    super('files are to be read first');
    this.patterns = patterns;
    this.key = JSON.stringify(patterns);
  }
}

/**
 * The checksum of all files below a folder that the patterns stand for: SHA-256 over those of the files, in the order
 * of their names; empty when there are none. A pattern with `!` takes files away.
 * @param folder absolute; files outside of it do not count
 */
export async function hashFiles(
  folder: string,
  patterns: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const files = new Set<string>();
  for (const pattern of patterns.flatMap((text) => text.split('\n')).map((text) => text.trim())) {
    if (pattern === '' || pattern.startsWith('#')) continue;
    const takesAway = pattern.startsWith('!');
    for await (const found of glob(takesAway ? pattern.slice(1) : pattern, { cwd: folder })) {
      signal.throwIfAborted();
      const file = resolve(folder, found);
      if (takesAway) files.delete(file);
      else files.add(file);
    }
  }
  const all = createHash('sha256');
  let count = 0;
  for (const file of [...files].toSorted()) {
    signal.throwIfAborted();
    if (!isBelow(folder, file) || !(await lstat(file)).isFile()) continue;
    all.update(await hashFile(file));
    count += 1;
  }
  return count === 0 ? '' : all.digest('hex');
}

async function hashFile(file: string): Promise<Buffer> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(file)) hash.update(piece as Buffer);
  return hash.digest();
}

function isBelow(folder: string, file: string): boolean {
  const path = relative(folder, file);
  return path !== '' && !path.startsWith('..') && !isAbsolute(path);
}
