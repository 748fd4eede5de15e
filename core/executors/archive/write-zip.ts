import type { FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { crc32, createDeflateRaw, createGzip, deflateRaw, deflateRawSync } from 'node:zlib';
import {
  configure,
  Uint8ArrayReader,
  ZipWriter as LibraryWriter,
  type ZipWriterAddDataOptions,
} from '@zip.js/zip.js/lib/zip-core-native.js';
import { toArchiveError } from './archive-error.ts';
import { prepareContent, readTarget, type SourceFile, type SourceItem } from './source-files.ts';
import {
  type ArchiveWriter,
  type PreparedEntry,
  type ReadFileOptions,
  chunkSize,
  writeAll,
} from './compression.ts';

/** Dependencies for writing a zip archive. */
export interface ZipTarget {
  /** Open for writing; closed by the caller. */
  readonly file: FileHandle;
  /** -1: default level. */
  readonly level: number;
  readonly password: string | undefined;
  readonly reading: ReadFileOptions;
}

const deflated = 8;
const stored = 0;
const strongestAes = 3;
const types = { file: 0o100000, folder: 0o040000, symlink: 0o120000 } as const;

const compressInThread = promisify(deflateRaw) as (
  bytes: Uint8Array,
  options: { level: number },
) => Promise<Buffer>;

/**
 * Contents up to this size, in bytes, are compressed on the main thread, because a round trip to the thread pool would
 * take about as long.
 */
const compressedHere = 16 * 1024;

const compress = async (bytes: Uint8Array, level: number): Promise<Buffer> =>
  bytes.length <= compressedHere ? deflateRawSync(bytes, { level }) : compressInThread(bytes, { level });

/** Writes a zip archive with file permissions and times. With a password, contents are encrypted with AES-256. */
export class ZipWriter implements ArchiveWriter {
  readonly #target: ZipTarget;
  readonly #writer: LibraryWriter<unknown>;

  constructor(target: ZipTarget) {
    const { file, password } = target;
    this.#target = target;
    configure({
      useWebWorkers: false,
      maxWorkers: 64,
      CompressionStream: NodeCompression,
      CompressionStreamFallback: NodeCompression,
    });
    this.#writer = new LibraryWriter(
      batchingWriter(file),
      password === undefined ? {} : { password, encryptionStrength: strongestAes },
    );
  }

  async prepare(item: SourceItem): Promise<PreparedEntry> {
    const { level, reading } = this.#target;
    if (item.kind === 'symlink') return this.#prepareInMemory(item, Buffer.from(await readTarget(item)), 0);
    const content = await prepareContent(item, reading);
    if (content.kind === 'whole') return this.#prepareInMemory(content.item, content.bytes, level);
    const { file } = content;
    return {
      item: file.item,
      append: () => this.#appendOpen(file),
      discard: async () => file.close(),
    };
  }

  async finish(): Promise<void> {
    await this.#writer.close().catch(throwWriteError);
  }

  async discard(): Promise<void> {
    // Only the file is open, and the caller closes it.
  }

  async #prepareInMemory(item: SourceItem, bytes: Buffer, level: number): Promise<PreparedEntry> {
    const packed = level === 0 || bytes.length === 0 ? bytes : await compress(bytes, level);
    const isSmaller = packed.length < bytes.length;
    const data = isSmaller ? packed : bytes;
    const metadata = toAddOptions(item);
    const options: ZipWriterAddDataOptions =
      bytes.length === 0
        ? // An empty content needs no encryption, and some readers fail on an encrypted empty content.
          { ...metadata, level: 0, password: '' }
        : {
            ...metadata,
            passThrough: 'compressed',
            compressionMethod: isSmaller ? deflated : stored,
            uncompressedSize: bytes.length,
            crc32: crc32(bytes),
          };
    const append = async (): Promise<void> => {
      if (item.kind === 'folder')
        await this.#writer.add(`${item.name}/`, undefined, { ...metadata, directory: true });
      else await this.#writer.add(item.name, new Uint8ArrayReader(data), options);
    };
    return { item, append: () => append().catch(throwWriteError), discard: async () => {} };
  }

  async #appendOpen(file: SourceFile): Promise<void> {
    const { level } = this.#target;
    const content = file.read();
    const readable = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { done, value } = await content.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => void (await content.return(undefined)),
    });
    const options: ZipWriterAddDataOptions = { ...toAddOptions(file.item), uncompressedSize: file.item.size };
    try {
      await this.#writer.add(file.item.name, readable, level === -1 ? options : { ...options, level });
    } catch (error) {
      throwWriteError(error);
    } finally {
      file.close();
    }
  }
}

/** Combines many small chunks into few large writes, in order. The rest is written when the stream is closed. */
function batchingWriter(file: FileHandle): WritableStream<Uint8Array> {
  let gathered: Uint8Array[] = [];
  let size = 0;
  const flush = async (): Promise<void> => {
    const whole = Buffer.concat(gathered, size);
    gathered = [];
    size = 0;
    await writeAll(file, whole);
  };
  return new WritableStream<Uint8Array>({
    write(chunk) {
      gathered.push(chunk);
      size += chunk.length;
      return size < chunkSize ? undefined : flush();
    },
    close: flush,
  });
}

function throwWriteError(error: unknown): never {
  throw toArchiveError(error, 'cannot write the archive');
}

const toAddOptions = ({ kind, mode, modified }: SourceItem): ZipWriterAddDataOptions => ({
  lastModDate: new Date(modified * 1000),
  unixMode: types[kind] | mode,
});

/** Compresses in Node's thread pool at a certain level, with the interface that the library expects. */
class NodeCompression {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;

  constructor(format: string, { level = -1 }: { readonly level?: number } = {}) {
    const create = format === 'gzip' ? createGzip : createDeflateRaw;
    const stream = create({ chunkSize, level });
    let fail: (error: unknown) => void = () => {};
    this.readable = new ReadableStream<Uint8Array>({
      start(controller) {
        fail = (error) => controller.error(error);
        stream.on('data', (chunk: Uint8Array) => {
          controller.enqueue(chunk);
          if ((controller.desiredSize ?? 0) <= 0) stream.pause();
        });
        stream.on('end', () => controller.close());
        stream.on('error', fail);
      },
      pull: () => void stream.resume(),
      cancel: () => void stream.destroy(),
    });
    this.writable = new WritableStream<Uint8Array>({
      write: (chunk) =>
        new Promise((resolve, reject) => {
          stream.write(chunk, (error) => (error ? reject(error) : resolve()));
        }),
      close: () => void stream.end(),
      // A destroyed stream emits nothing, and the reader would wait forever.
      abort(reason) {
        fail(reason);
        stream.destroy();
      },
    });
  }
}
