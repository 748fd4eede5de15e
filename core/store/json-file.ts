import { mkdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { AppError, getErrorMessage } from '../base/errors.ts';
import type { HomeFile, HomeFileKind } from '../contract/home-files.ts';
import { writeFileDurable } from '../process/write-file-durable.ts';
import { withFileLock } from './file-lock.ts';
import { validateHomeFile } from './home-file-validator.ts';

/** A JSON file in the home, readable only by its owner. */
export interface JsonFileLocation<Kind extends HomeFileKind> {
  /** Absolute. */
  readonly file: string;
  /** Absolute path of one lock for all related files. */
  readonly lock: string;
  readonly kind: Kind;
  /** Default content without a file. */
  readonly empty: HomeFile<Kind>;
  /** Description for messages: `user file`. */
  readonly what: string;
  /** Advice for a corrupt file. */
  readonly remedy: string;
}

/**
 * A JSON file shared by several processes. Every read returns the current content; changes are made under a lock on
 * the current content, so that none is lost. A corrupt file is left unchanged and rejected with `home_unusable`.
 */
export class JsonFile<Kind extends HomeFileKind> {
  readonly #location: JsonFileLocation<Kind>;
  #fileVersion = '';
  #content: HomeFile<Kind>;

  constructor(location: JsonFileLocation<Kind>) {
    this.#location = location;
    this.#content = location.empty;
  }

  /** Returns the content; the same object until the file changes. */
  read(): HomeFile<Kind> {
    const fileVersion = this.#readFileVersion();
    if (fileVersion === this.#fileVersion) return this.#content;
    // Read the version first, so that a concurrent change is detected by the next read.
    this.#content = fileVersion === '' ? this.#location.empty : this.#load();
    this.#fileVersion = fileVersion;
    return this.#content;
  }

  /**
   * Changes the content.
   * @param edit returns the new content and the result; without content nothing changes. Its exceptions are passed on.
   */
  change<Result>(
    edit: (content: HomeFile<Kind>) => { readonly content?: HomeFile<Kind>; readonly result: Result },
  ): Result {
    const { file, lock } = this.#location;
    this.#wrapErrors(() => mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 }));
    return withFileLock(lock, () => {
      const { content, result } = edit(this.read());
      if (content !== undefined)
        this.#wrapErrors(() => writeFileDurable(file, `${JSON.stringify(content, undefined, 2)}\n`));
      return result;
    });
  }

  /** Returns the identity of the file version, because every version is a new file renamed into place. */
  #readFileVersion(): string {
    const stats = this.#wrapErrors(() =>
      statSync(this.#location.file, { bigint: true, throwIfNoEntry: false }),
    );
    return stats === undefined ? '' : `${stats.ino} ${stats.mtimeNs} ${stats.ctimeNs} ${stats.size}`;
  }

  #load(): HomeFile<Kind> {
    const { file, kind } = this.#location;
    const text = this.#wrapErrors(() => readFileSync(file, 'utf8'));
    let content: unknown;
    try {
      content = JSON.parse(text);
    } catch {
      throw this.#invalidFileError('invalid JSON');
    }
    const issue = validateHomeFile(kind, content);
    if (issue !== undefined)
      throw this.#invalidFileError(`${issue.instancePath || 'invalid content'} ${issue.message}`);
    return content as HomeFile<Kind>;
  }

  #invalidFileError(reason: string): AppError {
    const { file, what, remedy } = this.#location;
    return new AppError('home_unusable', `The ${what} ${file} is damaged: ${reason}. ${remedy}`, {
      details: { file },
    });
  }

  #wrapErrors<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      const { file, what } = this.#location;
      const isFull = (error as NodeJS.ErrnoException).code === 'ENOSPC';
      throw new AppError(
        isFull ? 'storage_full' : 'home_unusable',
        `Cannot use the ${what} ${file}: ${getErrorMessage(error)}. Check the disk and the permissions.`,
        { details: { file }, cause: error },
      );
    }
  }
}
