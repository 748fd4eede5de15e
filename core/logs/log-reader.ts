import type { Clock, Dispose } from '../base/clock.ts';
import type { StreamObserver } from '../contract/transport/bridge.ts';
import type { LogExtent, LogText } from '../contract/logs.ts';
import type { OperationOutput } from '../contract/operations.ts';
import { decodeUtf8, type DecodeText } from './decode-text.ts';
import type { IndexedLog } from './indexed-log.ts';
import { LogFiles } from './log-files.ts';
import { LogFollowers, type WantedText } from './log-followers.ts';
import { lookAt, openLog, readFully, type OpenLog } from './log-source.ts';
import { findTail, readLinesFrom, type TailStart } from './read-lines.ts';

/** Text of one reply; at least one line is given however long. */
export const maximumReplyBytes = 4 * 1_048_576;

/** How far back the start of a tail is looked for before its lines are counted from the beginning. */
const maximumTailBytes = 8 * 1_048_576;

/** Which lines; 0-based, a negative `from` counts from the end. */
export interface LineRange {
  readonly from?: number;
  readonly count?: number;
}

/** Which bytes. */
export interface ByteRange {
  readonly offset?: number;
  readonly length?: number;
}

export interface LogReaderOptions {
  readonly clock: Clock;
  /** Makes text of lines; as UTF-8 when absent. */
  readonly decode?: DecodeText;
  /** Files whose line indexes are kept. */
  readonly capacity?: number;
  /** Bytes whose lines a reply waits to have counted; beyond that it estimates. */
  readonly countedAtOnce?: number;
}

type Lines = OperationOutput<'logs.lines'>;
type Bytes = OperationOutput<'logs.bytes'>;

/**
 * Reads log files that may still be written, of any size, in bounded memory. Knows files only; that a
 * log is complete is told by whoever knows its writer. A file that is not there yet is an empty log.
 */
export class LogReader {
  readonly #files: LogFiles;
  readonly #countedAtOnce: number;
  readonly #tailBytes: number;
  readonly #followers: LogFollowers;
  readonly #decode: DecodeText;

  constructor({ clock, decode = decodeUtf8, capacity = 64, countedAtOnce = 33_554_432 }: LogReaderOptions) {
    this.#decode = decode;
    this.#files = new LogFiles(capacity);
    this.#countedAtOnce = countedAtOnce;
    this.#followers = new LogFollowers(clock, (file, complete) => this.#measure(file, complete));
    this.#tailBytes = Math.min(countedAtOnce, maximumTailBytes);
  }

  /** A range of lines. The tail of a big log does not wait until its lines have been counted. */
  async lines(file: string, { from = 0, count = 1000 }: LineRange, complete: boolean): Promise<Lines> {
    await using log = await openLog(file);
    if (!log) return { size: 0, totalLines: 0, complete, from: 0, lines: [] };
    const indexed = this.#files.get(file, log);
    const counting = this.#count(indexed, log.size);
    if (log.size - indexed.index.size <= this.#countedAtOnce) await counting;
    if (from >= 0) await indexed.reach(from);
    else if (indexed.index.size < log.size) {
      const tail = await findTail(log.handle, log.size, { lines: -from, maximumBytes: this.#tailBytes });
      if (tail) return await this.#tailLines({ log, indexed, tail }, count, complete);
      await counting;
    }
    return await this.#indexedLines({ log, indexed }, { from, count }, complete);
  }

  /** A range of bytes, at most what is there. */
  async bytes(file: string, { offset = 0, length = 65_536 }: ByteRange, complete: boolean): Promise<Bytes> {
    await using log = await openLog(file);
    if (!log) return { size: 0, complete, offset: 0, data: '' };
    const start = Math.min(offset, log.size);
    const buffer = Buffer.allocUnsafe(Math.min(length, log.size - start));
    const data = (await readFully(log.handle, buffer, start)).toString('base64');
    return { size: log.size, complete, offset: start, data };
  }

  /** Tells how far the log reaches, at once and whenever that changes, until it is complete. */
  follow(file: string, isComplete: () => boolean, observer: StreamObserver<LogExtent>): Dispose {
    return this.#followers.follow(file, isComplete, observer);
  }

  /** Hands out the lines of a log from a place on, as fast as they are taken, until it is complete. */
  followText(log: Omit<WantedText, 'decode'>, observer: StreamObserver<LogText>): Dispose {
    return this.#followers.followText({ ...log, decode: this.#decode }, observer);
  }

  /** Ends all following with `unavailable` and forgets the indexes. */
  close(): void {
    this.#followers.close();
    this.#files.clear();
  }

  async #measure(file: string, complete: boolean): Promise<LogExtent> {
    const state = await lookAt(file);
    if (!state) return { size: 0, totalLines: 0, complete };
    const indexed = this.#files.get(file, state);
    const counting = this.#count(indexed, state.size);
    if (state.size - indexed.index.size <= this.#countedAtOnce) await counting;
    return describeExtent(indexed, state.size, complete);
  }

  /** A failure to count shows when its outcome is awaited; counting in the background stays silent. */
  #count(indexed: IndexedLog, size: number): Promise<void> {
    const counting = indexed.extend(size);
    counting.catch(() => {});
    return counting;
  }

  async #indexedLines(
    { log, indexed }: LogAtHand,
    range: Required<LineRange>,
    complete: boolean,
  ): Promise<Lines> {
    const extent = describeExtent(indexed, log.size, complete);
    const wanted = range.from < 0 ? extent.totalLines + range.from : range.from;
    const from = Math.min(Math.max(wanted, 0), extent.totalLines);
    const mark = indexed.index.seek(from);
    const lines = await readLinesFrom(
      log.handle,
      { start: mark, end: extent.size, index: indexed.index },
      {
        skip: from - mark.line,
        count: Math.min(range.count, extent.estimated ? range.count : extent.totalLines - from),
        maximumBytes: maximumReplyBytes,
        decode: this.#decode,
      },
    );
    return { ...extent, totalLines: Math.max(extent.totalLines, from + lines.length), from, lines };
  }

  async #tailLines(
    { log, indexed, tail }: LogAtHand & { tail: TailStart },
    count: number,
    complete: boolean,
  ): Promise<Lines> {
    const lines = await readLinesFrom(
      log.handle,
      { start: { line: 0, offset: tail.offset }, end: log.size },
      { skip: 0, count, maximumBytes: maximumReplyBytes, decode: this.#decode },
    );
    const sampleBytes = indexed.index.size + log.size - tail.offset;
    const sampleLines = indexed.index.totalLines + tail.lines;
    const totalLines = Math.max(sampleLines, Math.round((log.size / sampleBytes) * sampleLines));
    return { size: log.size, totalLines, estimated: true, complete, from: totalLines - tail.lines, lines };
  }
}

interface LogAtHand {
  readonly log: OpenLog;
  readonly indexed: IndexedLog;
}

/** What is known of a log; lines not counted yet are taken to be as long as those that are. */
function describeExtent({ index }: IndexedLog, size: number, complete: boolean): LogExtent {
  if (index.size >= size) return { size: index.size, totalLines: index.totalLines, complete };
  const totalLines = index.size === 0 ? 1 : Math.round((size / index.size) * index.totalLines);
  return { size, totalLines: Math.max(totalLines, index.totalLines), estimated: true, complete };
}
