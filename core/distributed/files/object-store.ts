import { constants } from 'node:fs';
import { mkdir, open, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { attemptFiles } from '../../model/attempt-files.ts';
import type { LogStream, TaskFiles } from '../files-port.ts';
import { Bucket } from './bucket.ts';
import { chunkKey, endOf, keyBefore, readChunks } from './chunks.ts';
import { measure } from './measure.ts';
import { checkArtifactName, runParts, splitPlace } from './places.ts';

/** Logs of which is remembered how far they are, so that not all their parts are listed each time. */
const mostRemembered = 10_000;
const streams: readonly LogStream[] = ['stdout', 'stderr'];

/** See {@link ObjectStore}. Throws `invalid_config` for an address that is none. */
export const openObjectStore = (url: string): TaskFiles => new ObjectStore(new Bucket(url));

/**
 * Logs and artifacts as objects of a bucket: `<workflow>/<run>/logs/<attempt>/<stream>/<offset>-<bytes>` and
 * `<workflow>/<run>/artifacts/<name>`. Objects cannot grow, so that each part of a log is one. Parts may overlap when
 * two coordinators take the same one; what a log has at an offset is always the same. Hosts bring logs into the folders
 * of the attempts, where they are read as all others.
 */
class ObjectStore implements TaskFiles {
  readonly #bucket: Bucket;
  /** By prefix; may be less than the truth, since other coordinators append, too. */
  readonly #sizes = new Remembered();
  /** By prefix: where the last part began that was brought into a folder. */
  readonly #mirrored = new Remembered();

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
  }

  async logSize(place: string, stream: LogStream): Promise<number> {
    return await this.#readSize(logPrefix(place, stream));
  }

  async appendLog(
    place: string,
    stream: LogStream,
    offset: number,
    bytes: Uint8Array,
  ): Promise<{ readonly size: number }> {
    const prefix = logPrefix(place, stream);
    const known = this.#sizes.get(prefix);
    // An empty part asks how much there is; one that does not follow may do so after what others took.
    const isCertain = known !== undefined && known >= offset && bytes.length > 0;
    const size = isCertain ? known : await this.#readSize(prefix);
    const fresh = bytes.subarray(Math.max(0, size - offset));
    if (offset > size || fresh.length === 0) return { size };
    await this.#bucket.put(chunkKey(prefix, size, fresh.length), fresh);
    const end = size + fresh.length;
    this.#sizes.set(prefix, end);
    return { size: end };
  }

  async putArtifact(
    run: string,
    name: string,
    content: Readable,
  ): Promise<{ readonly bytes: number; readonly sha256: string }> {
    const key = artifactPrefix(run) + checkArtifactName(name);
    const measured = measure();
    const controller = new AbortController();
    const flow = pipeline(content, measured.stream, { signal: controller.signal });
    try {
      await Promise.all([flow, this.#bucket.upload(key, measured.stream)]);
    } catch (thrown) {
      controller.abort();
      throw thrown;
    }
    return measured.result();
  }

  async getArtifact(
    run: string,
    name: string,
  ): Promise<{ readonly bytes: number; readonly content: Readable } | undefined> {
    return await this.#bucket.get(artifactPrefix(run) + checkArtifactName(name));
  }

  async listArtifacts(
    run: string,
  ): Promise<readonly { readonly name: string; readonly bytes: number; readonly at: number }[]> {
    const prefix = artifactPrefix(run);
    const found = await this.#bucket.list(prefix);
    return found.map(({ key, bytes, at }) => ({ name: key.slice(prefix.length), bytes, at }));
  }

  async mirrorLogs(place: string): Promise<void> {
    await Promise.all(streams.map((stream) => this.#mirror(place, stream)));
  }

  async removeRun(run: string): Promise<void> {
    const objects = await this.#bucket.list(runPrefix(run));
    await this.#bucket.remove(objects.map(({ key }) => key));
  }

  async #readSize(prefix: string): Promise<number> {
    const size = endOf(readChunks(prefix, await this.#bucket.list(prefix)));
    this.#sizes.set(prefix, size);
    return size;
  }

  /** Appends to the log in the folder what the bucket has beyond its end. */
  async #mirror(place: string, stream: LogStream): Promise<void> {
    const prefix = logPrefix(place, stream);
    const file = path.join(place, attemptFiles[stream]);
    const done = await sizeOf(file);
    const begun = this.#mirrored.get(prefix) ?? 0;
    const from = begun <= done ? keyBefore(prefix, begun) : undefined;
    const chunks = readChunks(prefix, await this.#bucket.list(prefix, from));
    if (!chunks.some(({ offset, bytes }) => offset + bytes > done)) return;
    await mkdir(place, { recursive: true, mode: 0o700 });
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW;
    const handle = await open(file, flags, 0o600);
    try {
      let size = done;
      for (const { key, offset, bytes } of chunks) {
        if (offset > size) break;
        if (offset + bytes <= size) continue;
        const fresh = (await this.#fetch(key)).subarray(size - offset);
        await handle.write(fresh, 0, fresh.length, size);
        size += fresh.length;
        this.#mirrored.set(prefix, offset);
      }
    } finally {
      await handle.close();
    }
  }

  async #fetch(key: string): Promise<Uint8Array> {
    const found = await this.#bucket.get(key);
    // Removed since it was listed, with its run.
    return found === undefined ? new Uint8Array() : await buffer(found.content);
  }
}

/** Numbers of the logs that were in use last. */
class Remembered {
  readonly #numbers = new Map<string, number>();

  get(name: string): number | undefined {
    return this.#numbers.get(name);
  }

  set(name: string, number: number): void {
    this.#numbers.delete(name);
    this.#numbers.set(name, number);
    if (this.#numbers.size <= mostRemembered) return;
    const [oldest] = this.#numbers.keys();
    if (oldest !== undefined) this.#numbers.delete(oldest);
  }
}

/** Bytes of a file; 0 when there is none. */
async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return 0;
    throw thrown;
  }
}

const runPrefix = (run: string): string => `${runParts(run).join('/')}/`;
const artifactPrefix = (run: string): string => `${runPrefix(run)}artifacts/`;

function logPrefix(place: string, stream: LogStream): string {
  const { runParts: parts, attempt } = splitPlace(place);
  return `${parts.join('/')}/logs/${attempt.split(path.sep).join('/')}/${stream}/`;
}
