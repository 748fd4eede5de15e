import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

/** Does not wait for a reader, in case the path is a named pipe. */
const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0);
const newFlags = flags | constants.O_EXCL;

/** An append-only file, written in the order of the calls. After an error it accepts no more data. */
export class OutputFile {
  readonly path: string;
  readonly #handle: FileHandle;
  #last: Promise<void> = Promise.resolve();
  #error: Error | undefined;

  private constructor(path: string, handle: FileHandle) {
    this.path = path;
    this.#handle = handle;
  }

  /**
   * Opens the file, creating it private to this user when it is missing. Rejects with file system errors.
   * @param isNew it must be missing; `EEXIST` otherwise
   */
  static async open(path: string, isNew = false): Promise<OutputFile> {
    return new OutputFile(path, await open(path, isNew ? newFlags : flags, 0o600));
  }

  /** Resolves when the bytes are written, or dropped after an error. Never rejects. */
  append(bytes: Uint8Array): Promise<void> {
    this.#last = this.#last.then(() => this.#attempt(() => this.#handle.appendFile(bytes)));
    return this.#last;
  }

  /** @returns the error of the file since it was opened, if any */
  async close(): Promise<Error | undefined> {
    await this.#last;
    const failed = this.#error;
    this.#error = undefined;
    await this.#attempt(() => this.#handle.close());
    return failed ?? this.#error;
  }

  async #attempt(operation: () => Promise<void>): Promise<void> {
    if (this.#error) return;
    try {
      await operation();
    } catch (error) {
      this.#error = error as Error;
    }
  }
}
