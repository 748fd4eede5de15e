import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../base/errors.ts';
import { putFile, removeFile, renameFile } from '../write-file.ts';

const extension = '.json';

/** A folder with a JSON file for each name; written whole or not at all. It is made when it is needed. */
export class SideFolder<Content> {
  readonly #folder: string;
  readonly #isContent: (value: unknown) => value is Content;

  /** @param isContent tells what this release has written from what it cannot use */
  constructor(folder: string, isContent: (value: unknown) => value is Content) {
    this.#folder = folder;
    this.#isContent = isContent;
  }

  /** What is kept under a name; undefined when there is nothing, or nothing that can be used. Throws `home_unusable`. */
  read(name: string): Content | undefined {
    const file = this.#fileOf(name);
    try {
      const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
      return this.#isContent(value) ? value : undefined;
    } catch (thrown) {
      if (thrown instanceof SyntaxError) return undefined;
      if (isMissing(thrown)) return undefined;
      throw new AppError('home_unusable', `Cannot read ${file}. Check its permissions.`, { cause: thrown });
    }
  }

  /** Throws `home_unusable` or `storage_full`; what was kept before stays then. */
  write(name: string, content: Content): void {
    putFile(this.#fileOf(name), `${JSON.stringify(content)}\n`);
  }

  /** Removes what is kept under a name, if anything. Throws `home_unusable`. */
  remove(name: string): void {
    removeFile(this.#fileOf(name));
  }

  /** Keeps under another name what is kept under this one, in the place of what may be there. Throws `home_unusable`. */
  rename(name: string, newName: string): void {
    const content = this.read(name);
    if (content === undefined) return;
    this.remove(newName);
    renameFile(this.#fileOf(name), this.#fileOf(newName));
  }

  /** Names under which something is kept, in their order. Throws `home_unusable`. */
  names(): string[] {
    try {
      return readdirSync(this.#folder)
        .filter((file) => file.endsWith(extension) && !file.startsWith('.'))
        .map((file) => file.slice(0, -extension.length))
        .toSorted();
    } catch (thrown) {
      if (isMissing(thrown)) return [];
      throw new AppError('home_unusable', `Cannot read the folder ${this.#folder}.`, { cause: thrown });
    }
  }

  #fileOf(name: string): string {
    return path.join(this.#folder, name + extension);
  }
}

const isMissing = (thrown: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes(String((thrown as NodeJS.ErrnoException).code));
