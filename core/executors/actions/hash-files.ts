import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join, isAbsolute, relative } from 'node:path';
import { parseGlob, type Glob } from '../../base/glob.ts';

/** Thrown when an expression needs a checksum that is not computed yet. */
export class HashRequiredError extends Error {
  readonly patterns: readonly string[];
  readonly key: string;

  constructor(patterns: readonly string[]) {
    super('files must be read first');
    this.patterns = patterns;
    this.key = JSON.stringify(patterns);
  }
}

/**
 * Computes the checksum of all files below a folder that match the patterns: the SHA-256 of the SHA-256 digests of the
 * files, in order of their paths. Returns an empty string if no file matches. A pattern that starts with `!` excludes
 * files. Links are not followed.
 * @param folder absolute path; files outside it are ignored
 */
export async function hashFiles(
  folder: string,
  patterns: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const files = await findFiles(folder, patterns, signal);
  const all = createHash('sha256');
  for (const file of files) {
    signal.throwIfAborted();
    all.update(await hashFile(join(folder, file)));
  }
  return files.length === 0 ? '' : all.digest('hex');
}

/**
 * Returns the sorted paths of the matching files, relative to the folder, with forward slashes. Later patterns
 * override earlier ones.
 */
async function findFiles(folder: string, texts: readonly string[], signal: AbortSignal): Promise<string[]> {
  const patterns = texts
    .flatMap((text) => text.split('\n'))
    .flatMap((line) => readPattern(line, folder) ?? []);
  const found = new Set<string>();
  for (const { start, takesAway } of patterns) {
    if (takesAway) continue;
    for await (const file of walk(folder, start, signal)) found.add(file);
  }
  const matchesPatterns = (file: string): boolean =>
    patterns.findLast(({ glob }) => glob.fitsWithin(file.split('/')))?.takesAway === false;
  return [...found].filter(matchesPatterns).toSorted();
}

/** Lists all files at and below a path of the folder. */
async function* walk(folder: string, path: string, signal: AbortSignal): AsyncGenerator<string> {
  signal.throwIfAborted();
  const found = await lstat(join(folder, path)).catch(() => undefined);
  if (found?.isFile() === true) yield path;
  if (found?.isDirectory() !== true) return;
  for (const entry of await readdir(join(folder, path), { withFileTypes: true })) {
    const below = path === '' ? entry.name : `${path}/${entry.name}`;
    if (entry.isFile()) yield below;
    else if (entry.isDirectory()) yield* walk(folder, below, signal);
  }
}

async function hashFile(file: string): Promise<Buffer> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(file)) hash.update(piece as Buffer);
  return hash.digest();
}

/** A glob that selects files of a folder. */
export interface FilePattern {
  /** Matches paths relative to the folder, with forward slashes. */
  readonly glob: Glob;
  /** The part of the path before the first wildcard, where the search starts. */
  readonly start: string;
  /** Excludes the matching files. */
  readonly takesAway: boolean;
}

const wildcards = /[*?[]/;

/**
 * Parses a pattern with `*`, `?`, `[…]` and `**`. Wildcards match hidden files, too, and a folder matches everything
 * in it, as on GitHub Actions. Returns undefined for an empty line, a comment and a path outside the folder.
 * @param folder absolute path
 * @throws if the pattern exceeds the limits
 */
function readPattern(line: string, folder: string): FilePattern | undefined {
  const text = line.trim();
  if (text === '' || text.startsWith('#')) return undefined;
  const takesAway = text.startsWith('!');
  const written = takesAway ? text.slice(1).trim() : text;
  const path = isAbsolute(written) ? relative(folder, written) : written;
  const segments = path
    .replaceAll('\\', '/')
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  if (segments.includes('..') || isAbsolute(path)) return undefined;
  const firstWild = segments.findIndex((part) => wildcards.test(part));
  const start = segments.slice(0, firstWild < 0 ? segments.length : firstWild).join('/');
  const glob = parseGlob(segments.length === 0 ? '**' : segments.join('/'), { dot: true, noBraces: true });
  if ('problem' in glob) throw new Error(`hashFiles: "${text.slice(0, 80)}" ${glob.problem}`);
  return { glob, start, takesAway };
}
