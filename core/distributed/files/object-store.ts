import { LruCache } from '../../base/lru-cache.ts';
import { constants } from 'node:fs';
import { mkdir, open, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../base/errors.ts';
import { checkArtifactName, attemptFiles } from '../../model/run.ts';
import type { FileRange, ArtifactInfo, LogStream, TaskFiles } from '../../run/remote/task-files.ts';
import { Bucket, type ObjectEntry } from './bucket.ts';
import { createHashingStream } from './file-store.ts';
import { runParts, parseRunFolder } from './run-folders.ts';

/** Maximum number of logs with a cached size, which avoids listing all parts each time. */
const maxRemembered = 10_000;
const streams: readonly LogStream[] = ['stdout', 'stderr'];

/** Opens an {@link ObjectStore}. Throws `invalid_config` for an invalid URL. */
export const openObjectStore = (url: string): TaskFiles => new ObjectStore(new Bucket(url));

/**
 * Stores logs and artifacts as objects in a bucket: `<workflow>/<run>/logs/<attempt>/<stream>/<offset>-<bytes>` and
 * `<workflow>/<run>/artifacts/<name>`. Objects cannot grow, so each log part is an object. Parts may overlap if two
 * coordinators receive the same one; the content at an offset is always the same. Hosts copy logs to the attempt
 * directories, where all logs are read.
 */
class ObjectStore implements TaskFiles {
  readonly #bucket: Bucket;
  /** Log sizes by prefix. The real size may be larger, because other coordinators append as well. */
  readonly #sizes = new LruCache<string, number>(maxRemembered);
  /** Offset of the last mirrored part, by prefix. */
  readonly #mirrored = new LruCache<string, number>(maxRemembered);

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
  }

  async logSize(attemptDir: string, stream: LogStream): Promise<number> {
    return await this.#readSize(logPrefix(attemptDir, stream));
  }

  async appendLog(
    attemptDir: string,
    stream: LogStream,
    offset: number,
    bytes: Uint8Array,
  ): Promise<{ readonly size: number }> {
    const prefix = logPrefix(attemptDir, stream);
    const known = this.#sizes.get(prefix);
    // An empty part asks for the size; a part after a gap may follow data that another coordinator received.
    const isCertain = known !== undefined && known >= offset && bytes.length > 0;
    const size = isCertain ? known : await this.#readSize(prefix);
    const newBytes = bytes.subarray(Math.max(0, size - offset));
    if (offset > size || newBytes.length === 0) return { size };
    await this.#bucket.put(chunkKey(prefix, size, newBytes.length), newBytes);
    const end = size + newBytes.length;
    this.#sizes.set(prefix, end);
    return { size: end };
  }

  async putArtifact(
    run: string,
    name: string,
    content: Readable,
  ): Promise<{ readonly bytes: number; readonly sha256: string }> {
    const key = artifactPrefix(run) + checkArtifactName(name);
    const measured = createHashingStream();
    const controller = new AbortController();
    const piped = pipeline(content, measured.stream, { signal: controller.signal });
    try {
      await Promise.all([piped, this.#bucket.upload(key, measured.stream)]);
    } catch (error) {
      controller.abort();
      throw error;
    }
    return measured.result();
  }

  async getArtifact(run: string, name: string, part?: FileRange): Promise<ArtifactInfo | undefined> {
    return await this.#bucket.get(artifactPrefix(run) + checkArtifactName(name), part);
  }

  async listArtifacts(
    run: string,
  ): Promise<readonly { readonly name: string; readonly bytes: number; readonly at: number }[]> {
    const prefix = artifactPrefix(run);
    const object = await this.#bucket.list(prefix);
    return object.map(({ key, bytes, at }) => ({ name: key.slice(prefix.length), bytes, at }));
  }

  async mirrorLogs(attemptDir: string): Promise<void> {
    await Promise.all(streams.map((stream) => this.#mirror(attemptDir, stream)));
  }

  async sealLogs(attemptDir: string): Promise<void> {
    await Promise.all(streams.map((stream) => this.#seal(attemptDir, stream)));
  }

  async removeRun(run: string): Promise<void> {
    const objects = await this.#bucket.list(runPrefix(run));
    await this.#bucket.remove(objects.map(({ key }) => key));
  }

  async #readSize(prefix: string): Promise<number> {
    const size = getEnd(readChunks(prefix, await this.#bucket.list(prefix)));
    this.#sizes.set(prefix, size);
    return size;
  }

  /** Appends the part of a log that the local directory lacks. */
  async #mirror(attemptDir: string, stream: LogStream): Promise<void> {
    const prefix = logPrefix(attemptDir, stream);
    const file = path.join(attemptDir, attemptFiles[stream]);
    const localSize = await getSize(file);
    const chunks = await this.#listFrom(prefix, localSize);
    if (!chunks.some(({ offset, bytes }) => offset + bytes > localSize)) return;
    await mkdir(attemptDir, { recursive: true, mode: 0o700 });
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW;
    const handle = await open(file, flags, 0o600);
    try {
      let size = localSize;
      for (const { key, offset, bytes } of chunks) {
        if (offset > size) break;
        if (offset + bytes <= size) continue;
        const end = await this.#copyOn(handle, size, { key, offset });
        if (end > size) this.#mirrored.set(prefix, offset);
        size = end;
      }
    } finally {
      await handle.close();
    }
  }

  /** Lists log parts from the last mirrored one; all if that one no longer exists. */
  async #listFrom(prefix: string, localSize: number): Promise<Chunk[]> {
    const started = this.#mirrored.get(prefix);
    if (started !== undefined && started <= localSize) {
      const remaining = readChunks(prefix, await this.#bucket.list(prefix, keyBefore(prefix, started)));
      if (remaining.some(({ offset }) => offset <= localSize)) return remaining;
    }
    return readChunks(prefix, await this.#bucket.list(prefix));
  }

  /** @returns the new end of the log; unchanged if the part was deleted after it was listed */
  async #copyOn(
    handle: FileHandle,
    size: number,
    { key, offset }: Pick<Chunk, 'key' | 'offset'>,
  ): Promise<number> {
    const object = await this.#bucket.get(key, { offset: size - offset });
    let end = size;
    for await (const chunk of object?.content ?? []) {
      const bytes = chunk as Buffer;
      for (let written = 0; written < bytes.length;)
        written += (await handle.write(bytes, written, bytes.length - written, end + written)).bytesWritten;
      end += bytes.length;
    }
    return end;
  }

  /** Readers may still have the old parts listed; they find missing data in the merged object. */
  async #seal(attemptDir: string, stream: LogStream): Promise<void> {
    const prefix = logPrefix(attemptDir, stream);
    const chunks = readChunks(prefix, await this.#bucket.list(prefix));
    const bytes = getEnd(chunks);
    const mergedKey = chunkKey(prefix, 0, bytes);
    const segments = chunks.filter(
      ({ key, offset, ...part }) => key !== mergedKey && offset + part.bytes <= bytes,
    );
    if (segments.length === 0 || chunks.length < 2) return;
    if (!chunks.some(({ key }) => key === mergedKey))
      await this.#bucket.upload(mergedKey, Readable.from(this.#join(chunks, bytes)));
    await this.#bucket.remove(segments.map(({ key }) => key));
  }

  /** Yields the bytes of the parts in order. Throws if one no longer exists. */
  async *#join(chunks: readonly Chunk[], bytes: number): AsyncGenerator<Buffer> {
    let size = 0;
    for (const { key, offset, bytes: length } of chunks) {
      if (offset + length <= size) continue;
      const object = await this.#bucket.get(key, { offset: size - offset });
      for await (const chunk of object?.content ?? []) {
        size += (chunk as Buffer).length;
        yield chunk as Buffer;
      }
      if (size !== offset + length) break;
    }
    if (size !== bytes)
      throw new AppError('conflict', `A log changed while its ${chunks.length} parts were being joined.`);
  }
}

/** Returns the size of a file; 0 if missing. */
async function getSize(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0;
    throw error;
  }
}

const runPrefix = (run: string): string => `${runParts(run).join('/')}/`;
const artifactPrefix = (run: string): string => `${runPrefix(run)}artifacts/`;

function logPrefix(attemptDir: string, stream: LogStream): string {
  const { runParts: segments, attempt } = parseRunFolder(attemptDir);
  return `${segments.join('/')}/logs/${attempt.split(path.sep).join('/')}/${stream}/`;
}

/** A log part in the bucket. */
interface Chunk {
  readonly key: string;
  /** Offset of its first byte in the log. */
  readonly offset: number;
  readonly bytes: number;
}

/** Digits of an offset, so that key order is offset order. */
const digits = 16;

/** Returns `<prefix>0000000000000100-50`: 50 bytes from offset 100. */
const chunkKey = (prefix: string, offset: number, bytes: number): string =>
  `${prefix}${String(offset).padStart(digits, '0')}-${bytes}`;

/** Returns a key before all parts that start at `offset` or later. */
const keyBefore = (prefix: string, offset: number): string => prefix + String(offset).padStart(digits, '0');

/** Returns the log parts of a list of objects in order; other objects are skipped. */
function readChunks(prefix: string, objects: readonly ObjectEntry[]): Chunk[] {
  return objects.flatMap(({ key }) => {
    const [, offset, bytes] = /^(\d{16})-(\d{1,16})$/.exec(key.slice(prefix.length)) ?? [];
    return offset === undefined ? [] : [{ key, offset: Number(offset), bytes: Number(bytes) }];
  });
}

/** Returns the number of contiguous bytes from the start of the log. */
function getEnd(chunks: readonly Chunk[]): number {
  let end = 0;
  for (const { offset, bytes } of chunks) {
    if (offset > end) break;
    end = Math.max(end, offset + bytes);
  }
  return end;
}
