import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pack, type Header, type Pack } from 'tar-stream';
import type { ArchiveFormat } from '../../../model/executors/archive.ts';
import { toArchiveError } from '../archive-error.ts';
import { prepareContent, readTarget } from '../source/prepare-content.ts';
import type { SourceItem } from '../source/walk.ts';
import type { ArchiveWriter, PreparedEntry, ReadFileOptions } from './archive-writer.ts';
import { writeAll } from './write-all.ts';
import { chunkSize, createEncoder, explainFilter } from './compression.ts';

/** Dependencies for writing a tar archive. */
export interface TarTarget {
  /** Open for writing; closed by the caller. */
  readonly file: FileHandle;
  readonly format: Exclude<ArchiveFormat, 'zip'>;
  readonly level: number;
  readonly reading: ReadFileOptions;
}

/** Writes a tar archive without owners: extracted files belong to the user who extracts them. */
export class TarWriter implements ArchiveWriter {
  readonly #pack: Pack = pack();
  readonly #flow: Promise<void>;
  readonly #reading: ReadFileOptions;
  readonly #format: ArchiveFormat;
  #failure: unknown;

  constructor({ file, format, level, reading }: TarTarget) {
    this.#reading = reading;
    this.#format = format;
    const encoder = createEncoder(format, level);
    const packed = this.#pack as unknown as Readable;
    const sink = async (chunks: AsyncIterable<Uint8Array>): Promise<void> => {
      for await (const chunk of chunks) await writeAll(file, chunk);
    };
    const flow =
      encoder === undefined
        ? pipeline(packed, batchChunks, sink)
        : pipeline(packed, batchChunks, encoder, sink);
    this.#flow = flow.catch((error: unknown) => {
      this.#failure = error;
    });
  }

  async prepare(item: SourceItem): Promise<PreparedEntry> {
    const target = item.kind === 'symlink' ? await readTarget(item) : undefined;
    const content = await prepareContent(item, this.#reading);
    if (content.kind === 'whole') {
      const header = { ...toHeader(content.item, target), size: content.bytes.length };
      return {
        item: content.item,
        append: () => this.#append(header, [content.bytes]),
        discard: async () => {},
      };
    }
    const { file } = content;
    const header = { ...toHeader(file.item, target), size: file.item.size };
    return {
      item: file.item,
      append: async () => {
        try {
          await this.#append(header, file.read());
        } finally {
          file.close();
        }
      },
      discard: async () => file.close(),
    };
  }

  async finish(): Promise<void> {
    this.#pack.finalize();
    await this.#flow;
    this.#throwFailure();
  }

  async discard(): Promise<void> {
    this.#pack.destroy();
    await this.#flow;
  }

  async #append(header: TarHeader, content: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<void> {
    try {
      await this.#write(header, content);
    } catch (error) {
      // The archive stream has already failed; report its original error instead of this one.
      if ((this.#pack as unknown as Readable).destroyed) await this.#flow;
      this.#throwFailure();
      throw error;
    }
  }

  async #write(header: TarHeader, content: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<void> {
    let onEnd: (error?: Error | null) => void = () => {};
    const ended = new Promise<void>((resolve, reject) => {
      onEnd = (error) => (error ? reject(error) : resolve());
    });
    ended.catch(() => {});
    const sink = this.#pack.entry(header, (error) => onEnd(error));
    if (header.type === 'file') {
      for await (const chunk of content) {
        if (sink.write(chunk)) continue;
        await this.#unlessFailed(new Promise<void>((resolve) => sink.once('drain', () => resolve())));
      }
      sink.end(undefined);
    }
    await this.#unlessFailed(ended);
  }

  /** Waits for a write, and rejects if the archive stream fails, in which case the write never completes. */
  async #unlessFailed(step: Promise<void>): Promise<void> {
    await Promise.race([step, this.#flow]);
    this.#throwFailure();
  }

  #throwFailure(): void {
    if (this.#failure === undefined) return;
    throw (
      explainFilter(this.#failure, this.#format) ?? toArchiveError(this.#failure, 'cannot write the archive')
    );
  }
}

/** Latest time that the library can write to the header field, in epoch seconds. */
const latestTime = 2 ** 31 - 1;

type TarHeader = Partial<Header> & { readonly name: string; readonly size: number };

const types = { file: 'file', folder: 'directory', symlink: 'symlink' } as const;

function toHeader(
  { name, kind, mode, modified }: SourceItem,
  linkname?: string,
): Omit<TarHeader, 'size'> & { name: string } {
  const seconds = Math.floor(modified);
  const isPlain = seconds >= 0 && seconds <= latestTime;
  return {
    name: kind === 'folder' ? `${name}/` : name,
    type: types[kind],
    mode,
    uid: 0,
    gid: 0,
    mtime: new Date((isPlain ? seconds : 0) * 1000),
    ...(linkname === undefined ? {} : { linkname }),
    ...(isPlain ? {} : { pax: { mtime: String(modified) } }),
  };
}

/** Combines many small chunks into few large ones, because each chunk costs a round trip to the thread pool. */
async function* batchChunks(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let gathered: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    gathered.push(chunk);
    size += chunk.length;
    if (size < chunkSize) continue;
    yield Buffer.concat(gathered, size);
    gathered = [];
    size = 0;
  }
  yield Buffer.concat(gathered, size);
}
