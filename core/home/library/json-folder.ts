import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../base/errors.ts';
import { putFile, removeFile, renameFile } from './write-file.ts';

const extension = '.json';

/** A folder with one JSON file per name, written atomically. Created on first use. */
export class JsonFolder<Content> {
  readonly #folder: string;
  readonly #isContent: (value: unknown) => value is Content;

  /** @param isContent whether a parsed value has the format of this release */
  constructor(folder: string, isContent: (value: unknown) => value is Content) {
    this.#folder = folder;
    this.#isContent = isContent;
  }

  /**
   * Returns the value of a name, or undefined if there is no usable value.
   * @throws `home_unusable`
   */
  read(name: string): Content | undefined {
    const file = this.#getFilePath(name);
    try {
      const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
      return this.#isContent(value) ? value : undefined;
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      if (isMissing(error)) return undefined;
      throw new AppError('home_unusable', `Cannot read ${file}. Check its permissions.`, { cause: error });
    }
  }

  /**
   * Writes a value; on failure the previous value stays.
   * @throws `home_unusable` or `storage_full`
   */
  write(name: string, content: Content): void {
    putFile(this.#getFilePath(name), `${JSON.stringify(content)}\n`);
  }

  /**
   * Deletes the value of a name if it exists.
   * @throws `home_unusable`
   */
  remove(name: string): void {
    removeFile(this.#getFilePath(name));
  }

  /**
   * Moves a value to another name and replaces the value there.
   * @throws `home_unusable`
   */
  rename(name: string, newName: string): void {
    const content = this.read(name);
    if (content === undefined) return;
    this.remove(newName);
    renameFile(this.#getFilePath(name), this.#getFilePath(newName));
  }

  /**
   * Lists the names in order.
   * @throws `home_unusable`
   */
  names(): string[] {
    try {
      return readdirSync(this.#folder)
        .filter((file) => file.endsWith(extension) && !file.startsWith('.'))
        .map((file) => file.slice(0, -extension.length))
        .toSorted();
    } catch (error) {
      if (isMissing(error)) return [];
      throw new AppError('home_unusable', `Cannot read the folder ${this.#folder}.`, { cause: error });
    }
  }

  #getFilePath(name: string): string {
    return path.join(this.#folder, name + extension);
  }
}

const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code));
