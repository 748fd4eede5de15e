import type { FileHandle } from 'node:fs/promises';
import { crc32, createInflateRaw, type InflateRaw } from 'node:zlib';
import {
  configure,
  Reader,
  ZipReader,
  type Entry,
  type FileEntry,
} from '@zip.js/zip.js/lib/zip-core-native.js';
import { ArchiveError, quote, stopped, toArchiveError } from './archive-error.ts';
import type { Budget, ArchiveEntry, EntryKind, OpenArchive } from './entries.ts';
import { chunkSize } from './compression.ts';

// Decompression runs in Node's thread pool, so web workers would only add overhead.
configure({ useWebWorkers: false, maxWorkers: 64 });

/** Dependencies for reading a zip archive. */
export interface ZipSource {
  readonly file: FileHandle;
  readonly signal: AbortSignal;
  readonly password: string | undefined;
  /** Returns a new budget for each pass over the archive. */
  budget(): Budget;
}

/** A zip archive. The central directory is read during iteration, and contents are read from their offsets. */
export const openZip = (source: ZipSource): OpenArchive => ({
  format: 'zip',
  isRandomAccess: true,
  entries: () => readEntries(source),
});

async function* readEntries(source: ZipSource): AsyncGenerator<ArchiveEntry> {
  const budget = source.budget();
  const { size } = await source.file.stat();
  const reader = new ZipReader(new FileReader(source.file, size), {
    // Names are validated in one place for all formats.
    filenameValidation: 'tolerant',
    signal: source.signal,
  });
  const entries = reader.getEntriesGenerator();
  try {
    for (;;) {
      const next = await entries.next().catch((error: unknown) => {
        throw toZipError(error, 'the archive');
      });
      if (next.done === true) return;
      budget.countEntry();
      yield toEntry(next.value, source, budget);
    }
  } finally {
    await reader.close();
  }
}

/** Reads a file at any offset. */
class FileReader extends Reader<FileHandle> {
  readonly #file: FileHandle;

  constructor(file: FileHandle, size: number) {
    super(file);
    this.#file = file;
    this.size = size;
  }

  override async readUint8Array(offset: number, length: number): Promise<Uint8Array> {
    const buffer = new Uint8Array(Math.max(0, Math.min(length, this.size - offset)));
    let filled = 0;
    while (filled < buffer.length) {
      const { bytesRead } = await this.#file.read(buffer, filled, buffer.length - filled, offset + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return buffer.subarray(0, filled);
  }
}

const typeBits = 0o170000;
const kindsByType: Readonly<Record<number, EntryKind>> = {
  0: 'file',
  0o100000: 'file',
  0o040000: 'folder',
  0o120000: 'symlink',
};

function toEntry(entry: Entry, source: ZipSource, budget: Budget): ArchiveEntry {
  const mode = entry.externalFileAttributes >>> 16;
  const kind = entry.directory ? 'folder' : (kindsByType[mode & typeBits] ?? 'other');
  const content = (): AsyncGenerator<Uint8Array> => readContent(entry as FileEntry, source, budget);
  return {
    name: entry.filename,
    kind,
    size: kind === 'file' ? entry.uncompressedSize : 0,
    mode: mode === 0 ? undefined : mode,
    modified: entry.lastModDate.getTime() / 1000,
    isEncrypted: entry.encrypted,
    linkTarget: () => readTarget(entry, content()),
    content,
  };
}

const maxTargetLength = 4096;

async function readTarget(entry: Entry, content: AsyncIterable<Uint8Array>): Promise<string> {
  if (entry.uncompressedSize > maxTargetLength)
    throw new ArchiveError('unsafe', `${quote(entry.filename)}: the link target is too long`);
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

const stored = 0;
const deflated = 8;

/**
 * Reads a content that the library decrypts. It is decompressed and verified here, because Node.js does that off the
 * main thread.
 */
async function* readContent(entry: FileEntry, source: ZipSource, budget: Budget): AsyncGenerator<Uint8Array> {
  const name = quote(entry.filename);
  if (entry.encrypted && source.password === undefined)
    throw new ArchiveError('password', `${name} is encrypted. Set config.password`);
  if (entry.compressionMethod !== stored && entry.compressionMethod !== deflated) {
    throw new ArchiveError(
      'unsupported',
      `${name} uses the unsupported compression method ${entry.compressionMethod}`,
    );
  }
  const check = new ContentCheck(entry, budget);
  try {
    for await (const chunk of readDecompressed(entry, source)) {
      check.add(chunk);
      yield chunk;
    }
  } catch (error) {
    throw toZipError(error, name, entry.encrypted);
  }
  check.end();
}

/** Verifies the content against the central directory. */
class ContentCheck {
  readonly #entry: FileEntry;
  readonly #budget: Budget;
  #size = 0;
  #crc = 0;

  constructor(entry: FileEntry, budget: Budget) {
    this.#entry = entry;
    this.#budget = budget;
  }

  add(chunk: Uint8Array): void {
    this.#size += chunk.length;
    this.#budget.countBytes(chunk.length);
    if (this.#size > this.#entry.uncompressedSize)
      throw this.#corruptArchiveError('is longer than stated in the archive');
    this.#crc = crc32(chunk, this.#crc);
  }

  end(): void {
    const { uncompressedSize, crc32: expected = 0, encrypted } = this.#entry;
    if (this.#size !== uncompressedSize)
      throw this.#corruptArchiveError('is shorter than stated in the archive');
    // AES-encrypted entries may have an authentication code instead of a CRC; the library verifies it.
    const isAuthenticated = encrypted && expected === 0;
    if (!isAuthenticated && this.#crc !== expected)
      throw this.#corruptArchiveError('does not match its checksum');
  }

  #corruptArchiveError(what: string): ArchiveError {
    const { filename, encrypted } = this.#entry;
    const cause = encrypted ? 'The archive is damaged, or the password is wrong' : 'The archive is damaged';
    return new ArchiveError('damaged', `${quote(filename)} ${what}. ${cause}`);
  }
}

/** Returns the content as a stream with backpressure. */
function readDecompressed(entry: FileEntry, source: ZipSource): AsyncIterable<Uint8Array> {
  const raw = new Pipe();
  const { password, signal } = source;
  const isEmpty = entry.uncompressedSize === 0;
  entry
    .getData(raw.writable, {
      // The library rejects an encrypted empty entry unless it may decompress it.
      ...(isEmpty ? {} : { passThrough: 'compressed' }),
      signal,
      ...(entry.encrypted && password !== undefined ? { password } : {}),
    })
    .catch((error: unknown) => raw.fail(error));
  return isEmpty || entry.compressionMethod === stored ? raw.read() : inflate(raw);
}

/** Passes chunks from a web stream to one reader, one at a time. */
class Pipe {
  readonly #transform = new TransformStream<Uint8Array, Uint8Array>();
  readonly #reader = this.#transform.readable.getReader();
  #failure: { readonly reason: unknown } | undefined;
  #onFail: (reason: unknown) => void = () => {};

  get writable(): WritableStream<Uint8Array> {
    return this.#transform.writable;
  }

  fail(reason: unknown): void {
    this.#failure = { reason };
    this.#onFail(reason);
  }

  async *read(): AsyncGenerator<Uint8Array> {
    const failed = new Promise<never>((_, reject) => {
      this.#onFail = reject;
    });
    failed.catch(() => {});
    if (this.#failure !== undefined) throw this.#failure.reason;
    try {
      for (;;) {
        const { done, value } = await Promise.race([this.#reader.read(), failed]);
        if (done) return;
        yield value;
      }
    } finally {
      await this.#reader.cancel().catch(() => {});
    }
  }
}

async function* inflate(raw: Pipe): AsyncGenerator<Uint8Array> {
  const stream = createInflateRaw({ chunkSize });
  const feeding = feed(stream, raw);
  try {
    yield* stream;
  } finally {
    stream.destroy();
    await feeding;
  }
}

async function feed(stream: InflateRaw, raw: Pipe): Promise<void> {
  const closed = new Promise<void>((resolve) => stream.once('close', resolve));
  try {
    for await (const chunk of raw.read()) {
      if (stream.destroyed) return;
      if (!stream.write(chunk))
        await Promise.race([closed, new Promise((resolve) => stream.once('drain', resolve))]);
    }
    stream.end();
  } catch (error) {
    stream.destroy(error as Error);
  }
}

function toZipError(error: unknown, what: string, isEncrypted = false): ArchiveError {
  if (error instanceof ArchiveError) return error;
  const { message, code, name } = error as NodeJS.ErrnoException;
  if (name === 'AbortError') return stopped();
  if (/password/i.test(message)) return new ArchiveError('password', `${what}: wrong password`);
  if (/encryption|encrypted/i.test(message))
    return new ArchiveError('unsupported', `${what}: unsupported encryption (${message})`);
  if (/split zip/i.test(message))
    return new ArchiveError(
      'unsupported',
      `${what}: multi-part archives are not supported. Join the parts first`,
    );
  const cause = isEncrypted ? 'damaged, or the password is wrong' : 'damaged or truncated';
  if (code === undefined || code.startsWith('Z_') || code.startsWith('ERR_'))
    return new ArchiveError('damaged', `${what} is ${cause} (${message})`, { cause: error });
  return toArchiveError(error, what, 'damaged');
}
