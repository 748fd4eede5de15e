import { parseGlob, type Glob } from '../../../base/text/glob.ts';
import { ArchiveError, quote } from '../archive-error.ts';

/** Which entries are taken, by their names. */
export class Selection {
  readonly #include: readonly Glob[];
  readonly #exclude: readonly Glob[];

  /**
   * @param globs as in a shell; `include` empty takes everything
   * @throws `ArchiveError` of class `configuration` for one that is over the limits
   */
  constructor(globs: { readonly include: readonly string[]; readonly exclude: readonly string[] }) {
    this.#include = globs.include.map((glob) => readGlob('include', glob));
    this.#exclude = globs.exclude.map((glob) => readGlob('exclude', glob));
  }

  /** Whether the entry is to be taken. @param parts of its name */
  takes(parts: readonly string[]): boolean {
    if (this.excludes(parts)) return false;
    return this.#include.length === 0 || matchesAny(parts, this.#include);
  }

  /** Whether the entry, and all below it, is left out. */
  excludes(parts: readonly string[]): boolean {
    return this.#exclude.length > 0 && matchesAny(parts, this.#exclude);
  }
}

/** A folder may be written with a slash at its end, and a path with `./` at its beginning; a name is one anywhere. */
function readGlob(field: 'include' | 'exclude', text: string): Glob {
  const path = text.replace(/^\.\//, '').replace(/(?<!\/)\/+$/, '');
  const glob = parseGlob(path, { ignoreCase: process.platform !== 'linux' });
  if ('problem' in glob)
    throw new ArchiveError('configuration', `config.${field}: ${quote(text.slice(0, 80))} ${glob.problem}`);
  return glob;
}

/** Whether a glob means the name or one of the folders it lies in; one without a slash means any part. */
const matchesAny = (parts: readonly string[], globs: readonly Glob[]): boolean =>
  globs.some((glob) =>
    glob.text.includes('/') ? glob.fitsWithin(parts) : parts.some((part) => glob.fits(part)),
  );
