import { openLog, readFully, type LogState } from './log-source.ts';

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

const newline = 10;

/** A line whose start offset is known. */
export interface LineCheckpoint {
  /** 0-based. */
  readonly line: number;
  /** Byte offset of its first byte. */
  readonly offset: number;
}

/** Bytes between two marks, while there are few of them. */
const firstSpacing = 65_536;
/** Above this number of marks every other one is removed, so that memory does not grow with the file. */
const maximumMarks = 16_384;

/**
 * An index of the lines of a growing text: the start of a line about every 64 KiB. Lines end with `\n`; a last line
 * without one counts. It must receive the whole text from its start, in order.
 */
export class LineIndex {
  #size = 0;
  #newlines = 0;
  #lastLineStart = 0;
  #spacing = firstSpacing;
  #marks: LineCheckpoint[] = [{ line: 0, offset: 0 }];

  /** Bytes indexed so far. */
  get size(): number {
    return this.#size;
  }

  /** Lines indexed so far, including an unfinished last one. */
  get totalLines(): number {
    return this.#newlines + (this.#lastLineStart < this.#size ? 1 : 0);
  }

  /** Number of lines with an end. */
  get finishedLines(): number {
    return this.#newlines;
  }

  get markCount(): number {
    return this.#marks.length;
  }

  /** Indexes the next bytes. */
  push(chunk: Buffer): void {
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) {
      this.#newlines += 1;
      this.#lastLineStart = this.#size + at + 1;
      if (this.#lastLineStart - this.#marks.at(-1)!.offset >= this.#spacing) this.#mark();
    }
    this.#size += chunk.length;
  }

  /** Returns the last known line start at or before a line. */
  seek(line: number): LineCheckpoint {
    let low = 0;
    let high = this.#marks.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#marks[middle]!.line <= line) low = middle;
      else high = middle - 1;
    }
    return this.#marks[low]!;
  }

  #mark(): void {
    this.#marks.push({ line: this.#newlines, offset: this.#lastLineStart });
    if (this.#marks.length <= maximumMarks) return;
    this.#marks = this.#marks.filter((_, position) => position % 2 === 0);
    this.#spacing *= 2;
  }
}

/** An LRU cache of log indexes. */
export class LogFiles {
  readonly #capacity: number;
  /** In order of last use. */
  readonly #logs = new Map<string, IndexedLog>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Returns the index of a file in its present state; a new one when the file was replaced or truncated. */
  get(file: string, state: LogState): IndexedLog {
    const known = this.#logs.get(file);
    this.#logs.delete(file);
    const current = known && known.identity === state.identity && known.index.size <= state.size;
    if (!current) known?.stop();
    const log = current ? known : new IndexedLog(file, state.identity);
    this.#logs.set(file, log);
    this.#evict();
    return log;
  }

  get size(): number {
    return this.#logs.size;
  }

  clear(): void {
    for (const log of this.#logs.values()) log.stop();
    this.#logs.clear();
  }

  /** Evicts the oldest indexes. A log that is being read stays until then, even beyond the capacity. */
  #evict(): void {
    for (const [file, log] of this.#logs) {
      if (this.#logs.size <= this.#capacity) return;
      if (!log.busy) this.#logs.delete(file);
    }
  }
}
