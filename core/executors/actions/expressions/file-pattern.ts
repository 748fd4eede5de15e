import { isAbsolute, relative } from 'node:path';
import { parseGlob, type Glob } from '../../../base/text/glob.ts';

/** Which files of a folder are meant. */
export interface FilePattern {
  /** Of the path below the folder, with forward slashes. */
  readonly glob: Glob;
  /** The part of the path before the first wildcard: where to look. */
  readonly start: string;
  /** Files that it stands for do not count. */
  readonly takesAway: boolean;
}

const wildcards = /[*?[]/;

/**
 * Reads a pattern with `*`, `?`, `[…]` and `**`, which stand for hidden files, too; a folder stands for all in it
 * (as the hosted service has it). Undefined for an empty line, a comment, and what lies outside of the folder.
 * @param folder absolute
 * @throws for one that is over the limits
 */
export function readPattern(line: string, folder: string): FilePattern | undefined {
  const text = line.trim();
  if (text === '' || text.startsWith('#')) return undefined;
  const takesAway = text.startsWith('!');
  const written = takesAway ? text.slice(1).trim() : text;
  const path = isAbsolute(written) ? relative(folder, written) : written;
  const parts = path
    .replaceAll('\\', '/')
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  if (parts.includes('..') || isAbsolute(path)) return undefined;
  const firstWild = parts.findIndex((part) => wildcards.test(part));
  const start = parts.slice(0, firstWild < 0 ? parts.length : firstWild).join('/');
  const glob = parseGlob(parts.length === 0 ? '**' : parts.join('/'), { dot: true, noBraces: true });
  if ('problem' in glob) throw new Error(`hashFiles: "${text.slice(0, 80)}" ${glob.problem}`);
  return { glob, start, takesAway };
}
