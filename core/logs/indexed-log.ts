import { LineIndex } from './line-index.ts';
import { openLog, readFully } from './log-source.ts';

const chunkBytes = 262_144;
/** Bytes at the start of a log that are checked for binary content. */
export const probedBytes = 8_192;

/** One log file with the index of its lines, which is built and extended by reading each part once. */
export class IndexedLog {
  readonly file: string;
  readonly identity: string;
  readonly index = new LineIndex();
  #isBinary = false;
  #target = 0;
  #scan: Promise<void> | undefined;
  #progress = Promise.withResolvers<void>();
  #stopped = false;

  constructor(file: string, identity: string) {
    this.file = file;
    this.identity = identity;
  }

  get busy(): boolean {
    return this.#scan !== undefined;
  }

  /** Whether there is a zero byte near the start, which no text log has. */
  get isBinary(): boolean {
    return this.#isBinary;
  }

  /** Counts lines up to a byte offset, without reading counted parts again. Stops early when the file is shorter. */
  async extend(size: number): Promise<void> {
    while (this.index.size < size && !this.#stopped) {
      this.#target = Math.max(this.#target, size);
      const before = this.index.size;
      const joined = this.#scan !== undefined;
      this.#scan ??= this.#startScan();
      await this.#scan;
      // A scan that was ending when this call joined may have missed the new target.
      if (!joined && this.index.size === before) return;
    }
  }

  /** Resolves when the end of a line, or the whole file, has been counted. */
  async reach(line: number): Promise<void> {
    while (this.#scan && this.index.finishedLines <= line) await this.#progress.promise;
  }

  /** Ends a running scan at its next chunk. */
  stop(): void {
    this.#stopped = true;
  }

  #startScan(): Promise<void> {
    return this.#readOn().finally(() => {
      this.#scan = undefined;
      this.#reportProgress();
    });
  }

  async #readOn(): Promise<void> {
    await using log = await openLog(this.file);
    if (log?.identity !== this.identity) return;
    const buffer = Buffer.allocUnsafe(chunkBytes);
    while (this.index.size < this.#target && !this.#stopped) {
      const readLength = Math.min(chunkBytes, this.#target - this.index.size);
      const chunk = await readFully(log.handle, buffer.subarray(0, readLength), this.index.size);
      if (chunk.length === 0) return;
      if (this.index.size < probedBytes)
        this.#isBinary ||= chunk.subarray(0, probedBytes - this.index.size).includes(0);
      this.index.push(chunk);
      this.#reportProgress();
    }
  }

  #reportProgress(): void {
    this.#progress.resolve();
    this.#progress = Promise.withResolvers<void>();
  }
}
