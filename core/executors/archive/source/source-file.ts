import { open, type FileHandle } from 'node:fs/promises';
import { ArchiveError, quote, stopped, toArchiveError } from '../archive-error.ts';
import { openFlags } from '../open-flags.ts';
import { chunkSize } from '../formats/compression.ts';
import type { SourceItem } from './walk.ts';

/** A file that is being packed. */
export class SourceFile {
  readonly item: SourceItem;
  readonly #handle: FileHandle;
  readonly #signal: AbortSignal;

  private constructor(item: SourceItem, handle: FileHandle, signal: AbortSignal) {
    this.item = item;
    this.#handle = handle;
    this.#signal = signal;
  }

  /** Opens what was found when the folders were gone through. Rejects with `ArchiveError`. */
  static async open(
    item: SourceItem,
    { followSymlinks, signal }: { readonly followSymlinks: boolean; readonly signal: AbortSignal },
  ): Promise<SourceFile> {
    const flags = followSymlinks ? openFlags.read : openFlags.readUnlinked;
    let handle: FileHandle | undefined;
    try {
      handle = await open(item.path, flags);
      const found = await handle.stat();
      if (!found.isFile()) throw changed(item);
      return new SourceFile({ ...item, size: found.size, modified: found.mtimeMs / 1000 }, handle, signal);
    } catch (thrown) {
      await handle?.close();
      throw toArchiveError(thrown, quote(item.path));
    }
  }

  /** The content, exactly as long as the file was when it was opened. Rejects with `ArchiveError`. */
  async *read(): AsyncGenerator<Buffer> {
    let left = this.item.size;
    while (left > 0) {
      if (this.#signal.aborted) throw stopped();
      const chunk = Buffer.allocUnsafe(Math.min(chunkSize, left));
      const { bytesRead } = await this.#handle.read(chunk, 0, chunk.length).catch((thrown: unknown) => {
        throw toArchiveError(thrown, quote(this.item.path));
      });
      if (bytesRead === 0) throw changed(this.item);
      left -= bytesRead;
      yield chunk.subarray(0, bytesRead);
    }
  }

  async readAll(): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.read()) chunks.push(chunk);
    return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

const changed = ({ path }: SourceItem): ArchiveError =>
  new ArchiveError(
    'changed',
    `${quote(path)} has changed while it was packed. Try again when nothing writes to it`,
  );
