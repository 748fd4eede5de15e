import { parseGlob, type Glob } from '../../../base/text/glob.ts';
import { ArchiveError, quote } from '../archive-error.ts';

/** Selects entries by name. */
export class Selection {
  readonly #include: readonly Glob[];
  readonly #exclude: readonly Glob[];

  /**
   * @param globs shell-style globs; an empty `include` selects everything
   * @throws ArchiveError of class `configuration` if a glob exceeds the limits
   */
  constructor(globs: { readonly include: readonly string[]; readonly exclude: readonly string[] }) {
    this.#include = globs.include.map((glob) => readGlob('include', glob));
    this.#exclude = globs.exclude.map((glob) => readGlob('exclude', glob));
  }

  /**
   * Whether the entry is selected.
   * @param segments path segments of its name
   */
  selects(segments: readonly string[]): boolean {
    if (this.excludes(segments)) return false;
    return this.#include.length === 0 || matchesAny(segments, this.#include);
  }

  /** Whether the entry and everything below it is excluded. */
  excludes(segments: readonly string[]): boolean {
    return this.#exclude.length > 0 && matchesAny(segments, this.#exclude);
  }
}

/**
 * Parses a glob. Accepts a trailing slash for folders and a leading `./` for paths; a glob without a slash matches a
 * name at any level.
 */
function readGlob(field: 'include' | 'exclude', text: string): Glob {
  const path = text.replace(/^\.\//, '').replace(/(?<!\/)\/+$/, '');
  const glob = parseGlob(path, { ignoreCase: process.platform !== 'linux' });
  if ('problem' in glob)
    throw new ArchiveError('configuration', `config.${field}: ${quote(text.slice(0, 80))} ${glob.problem}`);
  return glob;
}

/** Whether a glob matches the name or one of its parent folders. A glob without a slash matches any segment. */
const matchesAny = (segments: readonly string[], globs: readonly Glob[]): boolean =>
  globs.some((glob) =>
    glob.text.includes('/') ? glob.fitsWithin(segments) : segments.some((part) => glob.fits(part)),
  );
