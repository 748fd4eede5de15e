import { isAbsolute, relative } from 'node:path';
import { parseGlob, type Glob } from '../../../base/text/glob.ts';

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
export function readPattern(line: string, folder: string): FilePattern | undefined {
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
