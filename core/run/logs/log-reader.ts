import type { Clock, Dispose } from '../../base/clock.ts';
import type { StreamObserver } from '../../contract/transport.ts';
import type { LogExtent, LogMatches, LogText } from '../../contract/logs.ts';
import type { OperationOutput } from '../../contract/operations.ts';
import type { LogCharset } from '../../model/workflow-rules.ts';
import { textDecoder, type DecodeText, findTail, readLinesFrom, type TailStart } from './read-lines.ts';
import { type IndexedLog, LogFiles } from './indexed-log.ts';
import { LogFollowers, type TextSelection } from './log-followers.ts';
import { statLog, openLog, readFully, type OpenLog } from './log-source.ts';
import { LogSearches, searchFile, type LineQuery } from './log-searches.ts';
import { TimedLogs, type Times } from './timed-logs.ts';

/** Bytes of text in one response; at least one line is returned, however long. */
export const maximumReplyBytes = 4 * 1_048_576;

/** How far back to search for the start of a tail before its lines are counted from the start of the file. */
const maximumTailBytes = 8 * 1_048_576;

/** A range of lines; 0-based, a negative `from` counts from the end. */
export interface LineRange {
  readonly from?: number;
  readonly count?: number;
  /** Encoding of lines that are not UTF-8; default: the reader's. */
  readonly charset?: LogCharset | undefined;
}

/** A range of bytes. */
export interface ByteRange {
  readonly offset?: number;
  readonly length?: number;
}

export interface LogReaderOptions {
  readonly clock: Clock;
  /** Encoding of lines that are not UTF-8; default: UTF-8 as well. */
  readonly charset?: LogCharset;
  /** Number of files whose line indexes are cached. */
  readonly capacity?: number;
  /** Most bytes whose lines a response counts exactly; beyond that it estimates. */
  readonly countedAtOnce?: number;
}

type Lines = OperationOutput<'logs.lines'>;
type Bytes = OperationOutput<'logs.bytes'>;

/**
 * Reads log files that may still be written, of any size, in bounded memory. Only knows files: the caller knows whether
 * a log is complete. A file that does not exist yet is an empty log.
 */
export class LogReader {
  readonly #files: LogFiles;
  readonly #countedAtOnce: number;
  readonly #tailBytes: number;
  readonly #followers: LogFollowers;
  readonly #searches: LogSearches;
  readonly #times = new TimedLogs();
  readonly #charset: LogCharset;
  readonly #decoders = new Map<LogCharset, DecodeText>();

  constructor({ clock, charset = 'utf-8', capacity = 64, countedAtOnce = 33_554_432 }: LogReaderOptions) {
    this.#charset = charset;
    this.#searches = new LogSearches(clock);
    this.#files = new LogFiles(capacity);
    this.#countedAtOnce = countedAtOnce;
    this.#followers = new LogFollowers(clock, (file, complete) => this.#measure(file, complete));
    this.#tailBytes = Math.min(countedAtOnce, maximumTailBytes);
  }

  /** Returns a range of lines. The tail of a large log does not wait until its lines have been counted. */
  async lines(
    file: string,
    { from = 0, count = 1000, charset }: LineRange,
    complete: boolean,
  ): Promise<Lines> {
    await using log = await openLog(file);
    if (!log) return { size: 0, totalLines: 0, complete, from: 0, lines: [] };
    const indexed = this.#files.get(file, log);
    const indexing = this.#count(indexed, log.size);
    const decode = this.#decoder(charset);
    if (log.size - indexed.index.size <= this.#countedAtOnce) await indexing;
    if (from >= 0) await indexed.reach(from);
    else if (indexed.index.size < log.size) {
      const tail = await findTail(log.handle, log.size, { lines: -from, maximumBytes: this.#tailBytes });
      if (tail) return await this.#tailLines({ log, indexed, tail, decode }, count, complete);
      await indexing;
    }
    return await this.#indexedLines({ log, indexed, decode }, { from, count }, complete);
  }

  /** Returns a range of bytes, limited to the existing ones. */
  async bytes(file: string, { offset = 0, length = 65_536 }: ByteRange, complete: boolean): Promise<Bytes> {
    await using log = await openLog(file);
    if (!log) return { size: 0, complete, offset: 0, data: '' };
    const start = Math.min(offset, log.size);
    const buffer = Buffer.allocUnsafe(Math.min(length, log.size - start));
    const data = (await readFully(log.handle, buffer, start)).toString('base64');
    return { size: log.size, complete, offset: start, data };
  }

  /** Reports the extent of a log, at once and with each change, until it is complete. */
  follow(file: string, isComplete: () => boolean, observer: StreamObserver<LogExtent>): Dispose {
    return this.#followers.follow(file, isComplete, observer);
  }

  /** Delivers the lines of a log from an offset on, as fast as they are consumed, until it is complete. */
  followText(
    { charset, ...log }: Omit<TextSelection, 'decode'> & { readonly charset?: LogCharset | undefined },
    observer: StreamObserver<LogText>,
  ): Dispose {
    return this.#followers.followText({ ...log, decode: this.#decoder(charset) }, observer);
  }

  /**
   * Searches the lines of the current log.
   * @throws `bad_request` for an invalid pattern, `too_many_requests`
   */
  search(file: string, lineQuery: LineQuery, observer: StreamObserver<LogMatches>): Dispose {
    const { charset = this.#charset } = lineQuery;
    const getIndex = (log: OpenLog): IndexedLog => {
      const indexed = this.#files.get(file, log);
      void this.#count(indexed, log.size);
      return indexed;
    };
    return searchFile(
      { file, lineQuery: { ...lineQuery, charset }, getIndex, searches: this.#searches },
      observer,
    );
  }

  /** Returns when the lines of an attempt were written, as far as that was recorded. @param folder of the attempt */
  times(folder: string, after: number): Promise<Times> {
    return this.#times.read(folder, after);
  }

  /** Ends all followers and searches with `unavailable` and clears the indexes. */
  close(): void {
    this.#followers.close();
    this.#searches.close();
    this.#files.clear();
  }

  async #measure(file: string, complete: boolean): Promise<LogExtent> {
    const state = await statLog(file);
    if (!state) return { size: 0, totalLines: 0, complete };
    const indexed = this.#files.get(file, state);
    const indexing = this.#count(indexed, state.size);
    if (state.size - indexed.index.size <= this.#countedAtOnce) await indexing;
    return toExtent(indexed, state.size, complete);
  }

  #decoder(charset = this.#charset): DecodeText {
    const known = this.#decoders.get(charset) ?? textDecoder(charset);
    this.#decoders.set(charset, known);
    return known;
  }

  /** Counts lines. An error appears when the result is awaited; counting in the background ignores it. */
  #count(indexed: IndexedLog, size: number): Promise<void> {
    const indexing = indexed.extend(size);
    indexing.catch(() => {});
    return indexing;
  }

  async #indexedLines(
    { log, indexed, decode }: LogReadContext,
    range: { readonly from: number; readonly count: number },
    complete: boolean,
  ): Promise<Lines> {
    const extent = toExtent(indexed, log.size, complete);
    const requested = range.from < 0 ? extent.totalLines + range.from : range.from;
    const from = Math.min(Math.max(requested, 0), extent.totalLines);
    const checkpoint = indexed.index.seek(from);
    const lines = await readLinesFrom(
      log.handle,
      { start: checkpoint, end: extent.size, index: indexed.index },
      {
        skip: from - checkpoint.line,
        count: Math.min(range.count, extent.estimated ? range.count : extent.totalLines - from),
        maximumBytes: maximumReplyBytes,
        decode,
      },
    );
    return { ...extent, totalLines: Math.max(extent.totalLines, from + lines.length), from, lines };
  }

  async #tailLines(
    { log, indexed, tail, decode }: LogReadContext & { tail: TailStart },
    count: number,
    complete: boolean,
  ): Promise<Lines> {
    const lines = await readLinesFrom(
      log.handle,
      { start: { line: 0, offset: tail.offset }, end: log.size },
      { skip: 0, count, maximumBytes: maximumReplyBytes, decode },
    );
    const sampleBytes = indexed.index.size + log.size - tail.offset;
    const sampleLines = indexed.index.totalLines + tail.lines;
    const totalLines = Math.max(sampleLines, Math.round((log.size / sampleBytes) * sampleLines));
    return { size: log.size, totalLines, estimated: true, complete, from: totalLines - tail.lines, lines };
  }
}

interface LogReadContext {
  readonly log: OpenLog;
  readonly indexed: IndexedLog;
  readonly decode: DecodeText;
}

/** Describes a log; the average length of counted lines is used to estimate the others. */
function toExtent({ index, isBinary }: IndexedLog, size: number, complete: boolean): LogExtent {
  const binary = isBinary ? ({ binary: true } as const) : {};
  if (index.size >= size) return { size: index.size, totalLines: index.totalLines, complete, ...binary };
  const totalLines = index.size === 0 ? 1 : Math.round((size / index.size) * index.totalLines);
  return { size, totalLines: Math.max(totalLines, index.totalLines), estimated: true, complete, ...binary };
}
