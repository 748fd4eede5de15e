import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import type { BackupFile } from './manifest.ts';

const chunkBytes = 1024 * 1024;

/** Writes files into a compressed archive, each with its current content. */
export class BackupWriter {
  readonly #pack = pack();
  readonly #flow: Promise<void>;
  readonly files: BackupFile[] = [];

  /** @param target open for writing; the caller closes it */
  constructor(target: FileHandle) {
    const sink = async (chunks: AsyncIterable<Uint8Array>): Promise<void> => {
      for await (const chunk of chunks) await target.appendFile(chunk);
    };
    this.#flow = pipeline(this.#pack as unknown as Readable, createGzip({ level: 6 }), sink);
    // Errors are reported by the next operation.
    this.#flow.catch(() => {});
  }

  /** Adds a file; false if it no longer exists. A growing file is truncated to its initial size. */
  async addFile(path: string, file: string): Promise<boolean> {
    const handle = await openIfThere(file);
    if (handle === undefined) return false;
    try {
      const { size, mtimeMs } = await handle.stat();
      const hash = createHash('sha256');
      const entry = this.#begin(path, size, mtimeMs);
      const buffer = Buffer.allocUnsafe(chunkBytes);
      for (let remaining = size; remaining > 0;) {
        const { bytesRead } = await handle.read(buffer, 0, Math.min(remaining, chunkBytes));
        // A file that was truncated meanwhile is padded, because the archive already contains its size.
        const chunk = Buffer.from(
          bytesRead > 0 ? buffer.subarray(0, bytesRead) : Buffer.alloc(Math.min(remaining, chunkBytes)),
        );
        hash.update(chunk);
        await entry.write(chunk);
        remaining -= chunk.length;
      }
      await entry.end();
      this.files.push({ path, bytes: size, sha256: hash.digest('hex') });
      return true;
    } finally {
      await handle.close();
    }
  }

  /** Adds generated text as a file, and ends the archive. */
  async finish(path: string, text: string): Promise<void> {
    const bytes = Buffer.from(text);
    const entry = this.#begin(path, bytes.length, 0);
    await entry.write(bytes);
    await entry.end();
    this.#pack.finalize();
    await this.#flow;
  }

  /** Stops writing. */
  async discard(): Promise<void> {
    this.#pack.destroy();
    await this.#flow.catch(() => {});
  }

  #begin(name: string, size: number, mtimeMs: number) {
    let finishEntry: (error?: Error | null) => void = () => {};
    const entryEnded = new Promise<void>((resolve, reject) => {
      finishEntry = (error) => (error ? reject(error) : resolve());
    });
    entryEnded.catch(() => {});
    const mtime = new Date(Math.max(0, mtimeMs));
    const sink = this.#pack.entry({ name, size, mode: 0o600, mtime, type: 'file' }, (error) =>
      finishEntry(error),
    );
    const raceFailure = (step: Promise<void>): Promise<void> => Promise.race([step, this.#flow]);
    return {
      write: async (chunk: Buffer): Promise<void> => {
        if (sink.write(chunk)) return;
        await raceFailure(new Promise<void>((resolve) => sink.once('drain', () => resolve())));
      },
      end: async (): Promise<void> => {
        sink.end(undefined);
        await raceFailure(entryEnded);
      },
    };
  }
}

async function openIfThere(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
