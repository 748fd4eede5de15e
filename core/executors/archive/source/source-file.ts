import fs, { closeSync, fstatSync } from 'node:fs';
import { promisify } from 'node:util';
import { ArchiveError, quote, stopped, toArchiveError } from '../archive-error.ts';
import { openFlags } from '../open-flags.ts';
import { chunkSize } from '../formats/compression.ts';
import type { SourceItem } from './walk.ts';

const open = promisify(fs.open);
const read = promisify(fs.read);

/**
 * A file that is being packed. Opening and reading are asynchronous. Reading the size of an open file and closing a
 * file that was only read never block, so they are synchronous, which costs less than a round trip to the thread pool.
 */
export class SourceFile {
  readonly item: SourceItem;
  readonly #descriptor: number;
  readonly #signal: AbortSignal;

  private constructor(item: SourceItem, descriptor: number, signal: AbortSignal) {
    this.item = item;
    this.#descriptor = descriptor;
    this.#signal = signal;
  }

  /**
   * Opens a file that the walk found.
   * @throws ArchiveError
   */
  static async open(
    item: SourceItem,
    { followSymlinks, signal }: { readonly followSymlinks: boolean; readonly signal: AbortSignal },
  ): Promise<SourceFile> {
    const flags = followSymlinks ? openFlags.read : openFlags.readUnlinked;
    let descriptor: number | undefined;
    try {
      descriptor = await open(item.path, flags);
      const stats = fstatSync(descriptor);
      if (!stats.isFile()) throw changed(item);
      const properties = { size: stats.size, mode: stats.mode & 0o777, modified: stats.mtimeMs / 1000 };
      return new SourceFile({ ...item, ...properties }, descriptor, signal);
    } catch (error) {
      if (descriptor !== undefined) closeSync(descriptor);
      throw toArchiveError(error, quote(item.path));
    }
  }

  /**
   * Reads the content, exactly as many bytes as the file had when it was opened.
   * @throws ArchiveError
   */
  async *read(): AsyncGenerator<Buffer> {
    let remaining = this.item.size;
    while (remaining > 0) {
      if (this.#signal.aborted) throw stopped();
      const chunk = Buffer.allocUnsafe(Math.min(chunkSize, remaining));
      const { bytesRead } = await read(this.#descriptor, chunk, 0, chunk.length, null).catch(
        (error: unknown) => {
          throw toArchiveError(error, quote(this.item.path));
        },
      );
      if (bytesRead === 0) throw changed(this.item);
      remaining -= bytesRead;
      yield chunk.subarray(0, bytesRead);
    }
  }

  async readAll(): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.read()) chunks.push(chunk);
    return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

const changed = ({ path }: SourceItem): ArchiveError =>
  new ArchiveError(
    'changed',
    `${quote(path)} changed while it was being packed. Try again when the file is not being written`,
  );
