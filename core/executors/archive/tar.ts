import type { FileHandle } from 'node:fs/promises';
import { Transform, type Duplex, type Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract, type Extract, type Header, pack, type Pack } from 'tar-stream';
import type { ArchiveFormat } from '../../model/executor-tables.ts';
import { ArchiveError, quote, toArchiveError } from './archive-error.ts';
import type { Budget, ArchiveEntry, EntryKind, OpenArchive } from './entries.ts';
import {
  chunkSize,
  createDecoder,
  explainFilter,
  type ArchiveWriter,
  type PreparedEntry,
  type ReadFileOptions,
  writeAll,
  createEncoder,
} from './compression.ts';
import { prepareContent, readTarget, type SourceItem } from './source-files.ts';

type Entry = Extract extends AsyncIterable<infer Stream> ? Stream : never;

/** Dependencies for reading a tar archive. */
export interface TarSource {
  readonly file: FileHandle;
  readonly format: Exclude<ArchiveFormat, 'zip'>;
  readonly signal: AbortSignal;
  /** Returns a new budget for each pass over the archive. */
  budget(): Budget;
  /** Called when the end-of-archive marker is missing. */
  onEndMissing(): void;
}

/** A tar archive, optionally compressed, read as a stream in constant memory. */
export const openTar = (source: TarSource): OpenArchive => ({
  format: source.format,
  isRandomAccess: false,
  entries: () => readEntries(source),
});

async function* readEntries(source: TarSource): AsyncGenerator<ArchiveEntry> {
  const { file, format, signal } = source;
  const budget = source.budget();
  const tail = new Tail();
  const parser = extract();
  const stages: (Readable | Duplex | Writable)[] = [
    file.createReadStream({ start: 0, autoClose: false, highWaterMark: chunkSize }),
  ];
  const decoder = createDecoder(format);
  if (decoder !== undefined) stages.push(decoder);
  // The parser's streams work in a pipeline although their declared types do not match.
  stages.push(createMeter(budget, tail), parser as unknown as Writable);
  let failure: unknown;
  const flow = pipeline(stages, { signal }).catch((error: unknown) => {
    failure = error;
  });
  try {
    for await (const entry of parser) {
      budget.countEntry();
      yield toEntry(entry);
      // Discard content that was not read; otherwise the parser stalls.
      entry.resume();
    }
  } catch (error) {
    await flow;
    throw toFormatError(error instanceof ArchiveError ? error : (failure ?? error), format);
  } finally {
    parser.destroy();
    await flow;
  }
  if (failure !== undefined) throw toFormatError(failure, format);
  if (!tail.isEndMark) source.onEndMissing();
}

/** Counts the bytes that pass through. */
function createMeter(budget: Budget, tail: Tail): Transform {
  return new Transform({
    highWaterMark: chunkSize,
    transform(chunk: Buffer, _, done) {
      try {
        budget.countBytes(chunk.length);
        tail.add(chunk);
        done(null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
  });
}

const blockSize = 512;

/** Tracks the last block of the archive, which is all zeros if the archive is complete. */
class Tail {
  #block: Buffer = Buffer.alloc(0);

  add(chunk: Buffer): void {
    this.#block =
      chunk.length >= blockSize
        ? Buffer.from(chunk.subarray(-blockSize))
        : Buffer.concat([this.#block, chunk]).subarray(-blockSize);
  }

  get isEndMark(): boolean {
    return this.#block.length === blockSize && this.#block.every((byte) => byte === 0);
  }
}

const kinds: Readonly<Record<string, EntryKind>> = {
  file: 'file',
  'contiguous-file': 'file',
  directory: 'folder',
  symlink: 'symlink',
  link: 'hardlink',
};

function toEntry(stream: Entry): ArchiveEntry {
  const { header } = stream;
  const isSparse = Object.keys(header.pax ?? {}).some((key) => key.startsWith('GNU.sparse.'));
  const kind = isSparse ? 'other' : (kinds[header.type] ?? 'other');
  return {
    name: header.name,
    kind,
    size: kind === 'file' ? header.size : 0,
    mode: header.mode,
    modified: readModified(header),
    isEncrypted: false,
    linkTarget: () => Promise.resolve(header.linkname),
    content: () => readContent(stream, header),
  };
}

function readModified(header: Header): number | undefined {
  const { mtime } = (header.pax ?? {}) as { readonly mtime?: string };
  if (mtime !== undefined && Number.isFinite(Number(mtime))) return Number(mtime);
  const time = header.mtime.getTime();
  return Number.isNaN(time) ? undefined : time / 1000;
}

async function* readContent(stream: Entry, header: Header): AsyncGenerator<Uint8Array> {
  let remaining = header.size;
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      remaining -= chunk.length;
      yield chunk;
    }
  } catch (error) {
    throw toArchiveError(error, quote(header.name), 'damaged');
  }
  if (remaining > 0) throw new ArchiveError('damaged', `${quote(header.name)}: unexpected end of archive`);
}

function toFormatError(error: unknown, format: ArchiveFormat): ArchiveError {
  if (error instanceof ArchiveError) return error;
  const explanation = explainFilter(error, format);
  if (explanation !== undefined) return explanation;
  const { message } = error as Error;
  if (/unexpected end/i.test(message)) {
    return new ArchiveError('damaged', 'the archive is truncated. Download or create it again');
  }
  if (/invalid tar header/i.test(message)) {
    return new ArchiveError('damaged', `the archive is damaged or not ${format}: ${message}`);
  }
  return toArchiveError(error, `cannot read the archive as ${format}`, 'damaged');
}

/** Dependencies for writing a tar archive. */
export interface TarTarget {
  /** Open for writing; closed by the caller. */
  readonly file: FileHandle;
  readonly format: Exclude<ArchiveFormat, 'zip'>;
  readonly level: number;
  readonly reading: ReadFileOptions;
}

/** Writes a tar archive without owners: extracted files belong to the user that extracts them. */
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
