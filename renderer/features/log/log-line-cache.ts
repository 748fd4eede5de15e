import type { Dispose } from '../../../core/base/clock.ts';
import { toAppError, type ErrorBody } from '../../../core/base/errors.ts';
import { Listeners } from '../../../core/base/emitter.ts';
import type { Bridge } from '../../../core/contract/transport.ts';
import type { LogExtent } from '../../../core/contract/logs.ts';
import type { StreamInput } from '../../../core/contract/operations.ts';
import type { LogCharset } from '../../../core/model/workflow-rules.ts';
import type { LinePosition, LogStream } from './line-rows.ts';

/** Lines of a stream; `to` is exclusive. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** A gap of fewer lines between two ranges is loaded with them. */
const worthLeavingOut = 250;

/** Converts positions to sorted ranges per stream, without the lines hidden by large folds between them. */
export function getRanges(positions: Iterable<LinePosition>): ReadonlyMap<LogStream, readonly LineRange[]> {
  const found = new Map<LogStream, LineRange[]>();
  for (const { stream, line } of positions) {
    const ranges = found.get(stream) ?? [];
    const last = ranges.at(-1);
    if (last && line - last.to < worthLeavingOut) ranges[ranges.length - 1] = { ...last, to: line + 1 };
    else ranges.push({ from: line, to: line + 1 });
    found.set(stream, ranges);
  }
  return found;
}

/** Yields the positions of rows. @param to exclusive */
export function* listRowPositions(
  rows: { readonly count: number; at(row: number): LinePosition },
  from: number,
  to: number,
): Generator<LinePosition> {
  for (let row = from; row < Math.min(to, rows.count); row += 1) yield rows.at(row);
}

export type LogRef = StreamInput<'logs.follow'>;

/** State of the log for its view. A new object for every change. */
export interface LogSnapshot {
  /** Absent until the engine has reported the size of the log. */
  readonly extent: LogExtent | undefined;
  readonly error: ErrorBody | undefined;
}

/** Number of lines per request. */
export const pageLines = 250;
/** Lines shown from the end of a log while its lines are being counted. */
const tailLines = 300;
/** Maximum number of lines in memory; lines far from the viewport are dropped first. */
const maxCachedLines = 40_000;

/**
 * The loaded part of one log. It loads requested lines page by page, and again where the log has grown; it
 * never holds all of a large log.
 */
export class LogLineCache {
  readonly #bridge: Bridge;
  readonly #address: LogRef;
  readonly #charset: LogCharset | undefined;
  readonly #lines = new Map<number, string>();
  readonly #fetching = new Set<number>();
  /** Lines that may have continued since they were loaded; they are shown unchanged until loaded again. */
  readonly #outdated = new Set<number>();
  /** The newest lines while their numbers are unknown. */
  #tail: readonly string[] = [];
  #isReadingTail = false;
  #requestedRanges: readonly LineRange[] = [];
  #snapshot: LogSnapshot = { extent: undefined, error: undefined };
  readonly #listeners = new Listeners();

  /** @param charset encoding of text that is not UTF-8. Default: detected by the engine */
  constructor(bridge: Bridge, address: LogRef, charset?: LogCharset) {
    this.#bridge = bridge;
    this.#address = address;
    this.#charset = charset;
  }

  /** Follows the log until disposed. */
  open(): Dispose {
    return this.#bridge.follow('logs.follow', this.#address, {
      item: (extent) => this.#grow(extent),
      end: (error) => {
        if (error) this.#change({ error });
      },
    });
  }

  readonly subscribe = this.#listeners.add;

  readonly read = (): LogSnapshot => this.#snapshot;

  /** Returns a line by its 0-based number; undefined while it is not loaded. */
  line(index: number): string | undefined {
    return this.#lines.get(index) ?? this.#tailLine(index);
  }

  /** Sets the visible lines and loads missing ones. */
  want(ranges: readonly LineRange[]): void {
    this.#requestedRanges = ranges;
    for (const range of ranges) this.#fetchMissing(range);
  }

  #fetchMissing({ from, to }: LineRange): void {
    const total = this.#snapshot.extent?.totalLines ?? 0;
    const lastPage = Math.floor((Math.min(to, total) - 1) / pageLines);
    for (let page = Math.floor(from / pageLines); page <= lastPage; page += 1) {
      const start = page * pageLines;
      if (
        !this.#fetching.has(page) &&
        this.#isMissing(Math.max(from, start), Math.min(to, total, start + pageLines))
      ) {
        void this.#fetch(page);
      }
    }
  }

  /** Returns the newest `limit` lines, for copying. */
  async readTail(limit: number): Promise<string[]> {
    return (await this.#read(-limit, limit)).lines;
  }

  /** Returns the lines of a range, `to` exclusive, at full length. */
  async readRange(from: number, to: number): Promise<string[]> {
    const all: string[] = [];
    while (from + all.length < to) {
      const { lines } = await this.#read(from + all.length, Math.min(to - from - all.length, 10_000));
      if (lines.length === 0) break;
      all.push(...lines);
    }
    return all;
  }

  #read(from: number, count: number) {
    const charset = this.#charset === undefined ? {} : { charset: this.#charset };
    return this.#bridge.call('logs.lines', { ...this.#address, ...charset, from, count });
  }

  #grow(extent: LogExtent): void {
    const before = this.#snapshot.extent;
    // The previous last line may have been incomplete.
    const last = (before?.totalLines ?? 0) - 1;
    if (before?.size !== extent.size && this.#lines.has(last)) this.#outdated.add(last);
    this.#change({ extent });
    if (extent.estimated) void this.#readTail();
    else this.#tail = [];
    this.want(this.#requestedRanges);
  }

  #tailLine(index: number): string | undefined {
    const total = this.#snapshot.extent?.totalLines ?? 0;
    return this.#tail[index - (total - this.#tail.length)];
  }

  /**
   * The end of a large log is available immediately; a range by line number waits until the lines are counted.
   */
  async #readTail(): Promise<void> {
    if (this.#isReadingTail || this.#tail.length > 0) return;
    this.#isReadingTail = true;
    try {
      const { lines } = await this.#read(-tailLines, tailLines);
      if (this.#snapshot.extent?.estimated) this.#tail = lines;
      this.#change({});
    } catch {
      // Errors are reported by the range requests.
    } finally {
      this.#isReadingTail = false;
    }
  }

  #isMissing(from: number, to: number): boolean {
    return this.#findMissing(from, to) < to;
  }

  /** Returns the first missing line of a range; `to` if there is none. */
  #findMissing(from: number, to: number): number {
    let index = from;
    while (index < to && this.#lines.has(index) && !this.#outdated.has(index)) index += 1;
    return index;
  }

  async #fetch(page: number): Promise<void> {
    this.#fetching.add(page);
    const size = this.#snapshot.extent?.size;
    const outdated = [...this.#outdated];
    let progress = false;
    try {
      // From the first missing line, because a response may be cut short when lines are long.
      const end = (page + 1) * pageLines;
      const from = this.#findMissing(page * pageLines, end);
      const reply = await this.#read(from, end - from);
      progress = reply.lines.length > 0;
      reply.lines.forEach((line, offset) => this.#lines.set(reply.from + offset, line));
      // Only lines that were out of date at the time of the request are up to date now.
      const isRead = (index: number): boolean =>
        index >= reply.from && index < reply.from + reply.lines.length;
      for (const index of outdated.filter(isRead)) this.#outdated.delete(index);
      this.#evictDistantLines();
      this.#change({ error: undefined });
    } catch (error) {
      const { code, message } = toAppError(error);
      this.#change({ error: { code, message } });
    } finally {
      this.#fetching.delete(page);
    }
    // The log may have grown in the meantime, or the response was cut short because of long lines.
    if (progress || this.#snapshot.extent?.size !== size) this.want(this.#requestedRanges);
  }

  #evictDistantLines(): void {
    if (this.#lines.size <= maxCachedLines) return;
    const reach = maxCachedLines / 4;
    for (const index of this.#lines.keys()) {
      const isNear = this.#requestedRanges.some(
        ({ from, to }) => index >= from - reach && index <= to + reach,
      );
      if (!isNear) this.#lines.delete(index);
    }
  }

  #change(change: Partial<LogSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change };
    this.#listeners.notify();
  }
}
