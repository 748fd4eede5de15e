import type { Dirent } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Glob, GlobState } from '../base/glob.ts';

/** Maximum number of names that are checked for one glob. */
const maxNames = 1_000_000;

/** Number of entries that are read from a folder at a time; the event loop runs between these batches. */
const portion = 32;

/**
 * Finds the files below a folder that match a glob. Yields paths with forward slashes. Skips folders that cannot
 * contain a match. Links to files match; links to folders are followed only if the glob names them.
 * @param folder absolute path
 * @param signal rejects with its reason when it is aborted
 */
export function findFiles(folder: string, glob: Glob, signal: AbortSignal): Promise<string[]> {
  return new Search(folder, glob, signal).find();
}

class Search {
  readonly #folder: string;
  readonly #glob: Glob;
  readonly #signal: AbortSignal;
  readonly #found = new Set<string>();
  #names = 0;

  constructor(folder: string, glob: Glob, signal: AbortSignal) {
    this.#folder = folder;
    this.#glob = glob;
    this.#signal = signal;
  }

  async find(): Promise<string[]> {
    await this.#search('', this.#glob.start);
    return [...this.#found].sort();
  }

  async #search(below: string, state: GlobState): Promise<void> {
    const literals = this.#glob.literalsAt(state);
    if (literals === undefined) return await this.#list(below, state);
    for (const name of literals) {
      this.#count();
      const child = join(below, name);
      const known = await stat(path.join(this.#folder, child)).catch(() => undefined);
      const next = this.#glob.step(state, name);
      if (known?.isFile() === true) this.#take(child, next);
      else if (known?.isDirectory() === true) await this.#search(child, next);
    }
  }

  async #list(below: string, state: GlobState): Promise<void> {
    const folders: { readonly child: string; readonly next: GlobState }[] = [];
    for await (const entry of readFolder(path.join(this.#folder, below))) {
      this.#count();
      const next = this.#glob.step(state, entry.name);
      if (next.length === 0) continue;
      const child = join(below, entry.name);
      if (entry.isDirectory()) folders.push({ child, next });
      else if (entry.isFile()) this.#take(child, next);
      else if (entry.isSymbolicLink() && this.#glob.accepts(next)) {
        const known = await stat(path.join(this.#folder, child)).catch(() => undefined);
        if (known?.isFile() === true) this.#take(child, next);
      }
    }
    for (const { child, next } of folders) await this.#search(child, next);
  }

  #take(child: string, state: GlobState): void {
    if (this.#glob.accepts(state)) this.#found.add(child);
  }

  #count(): void {
    this.#signal.throwIfAborted();
    this.#names += 1;
    if (this.#names <= maxNames) return;
    throw new Error(
      `"${this.#glob.text}" matches more than ${maxNames.toLocaleString('en')} files. Use a more specific folder.`,
    );
  }
}

const join = (below: string, name: string): string => (below === '' ? name : `${below}/${name}`);

/** Yields the entries of a folder; none if the folder cannot be read. */
async function* readFolder(folder: string): AsyncGenerator<Dirent> {
  const entries = await opendir(folder, { bufferSize: portion }).catch(() => undefined);
  if (entries !== undefined) yield* entries;
}
