import { isAbsolute, relative } from 'node:path';

/** Which files of a folder are meant. */
export interface FilePattern {
  /** Of the path below the folder, with forward slashes. */
  readonly expression: RegExp;
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
  const body = parts.map((part, index) => toExpression(part, index === parts.length - 1)).join('');
  return { expression: new RegExp(`^${body}(?:/.*)?$`, 's'), start, takesAway };
}

/** One part of a path, with the slash behind it. */
function toExpression(part: string, isLast: boolean): string {
  if (part === '**') return isLast ? '.*' : '(?:.*/)?';
  const body = part.replaceAll(
    /\*+|\?|\[(!?)([^\]]+)\]|[.+^${}()|\\[\]]/g,
    (match, not: string | undefined, set: string | undefined) => {
      if (match.startsWith('*')) return '[^/]*';
      if (match === '?') return '[^/]';
      if (set === undefined) return `\\${match}`;
      return `[${not === '!' ? '^' : ''}${set.replaceAll(/[\\\]^]/g, String.raw`\$&`)}]`;
    },
  );
  return isLast ? body : `${body}/`;
}
