import { matchesGlob } from 'node:path';

/** Which entries are taken, by their names (issue 4, point 7). */
export class Selection {
  readonly #include: readonly string[];
  readonly #exclude: readonly string[];

  /** @param globs as in a shell; `include` empty takes everything */
  constructor(globs: { readonly include: readonly string[]; readonly exclude: readonly string[] }) {
    this.#include = globs.include.map(trimGlob);
    this.#exclude = globs.exclude.map(trimGlob);
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

/** A folder may be written with a slash at its end, and a path with `./` at its beginning. */
const trimGlob = (glob: string): string => glob.replace(/^\.\//, '').replace(/\/+$/, '');

/** Whether a glob means the name or one of the folders it lies in; one without a slash means any part. */
function matchesAny(parts: readonly string[], globs: readonly string[]): boolean {
  return globs.some((glob) =>
    glob.includes('/')
      ? parts.some((_, index) => matchesGlob(parts.slice(0, index + 1).join('/'), glob))
      : parts.some((part) => matchesGlob(part, glob)),
  );
}
