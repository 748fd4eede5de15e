import type { Dispose } from '../../../../core/base/clock.ts';
import { toAppError, type ErrorBody } from '../../../../core/base/errors.ts';
import { Listeners } from '../../../../core/base/listeners.ts';
import type { Bridge } from '../../../../core/contract/transport/bridge.ts';
import type { LogExtent } from '../../../../core/contract/runs/logs.ts';
import type { StreamInput } from '../../../../core/contract/operations.ts';
import type { LogCharset } from '../../../../core/model/workflow/log-charset.ts';
import type { LineRange } from '../rows/line-ranges.ts';

export type LogAddress = StreamInput<'logs.follow'>;

/** What the log's view draws from. A new object for every change. */
export interface LogPicture {
  /** Absent until the engine has told how far the log reaches. */
  readonly extent: LogExtent | undefined;
  readonly error: ErrorBody | undefined;
}

/** Lines fetched at a time. */
export const pageLines = 250;
/** Shown of the end of a log whose lines are still being counted. */
const tailLines = 300;
/** Lines held at most; those far from what is being looked at go first. */
const keptLines = 40_000;

/**
 * One log as far as it has been looked at. Told how far the log reaches, it fetches the lines that are asked
 * for, page by page, and again where the log has grown since; it never holds the whole of a large log.
 */
export class LogBook {
  readonly #bridge: Bridge;
  readonly #address: LogAddress;
  readonly #charset: LogCharset | undefined;
  readonly #lines = new Map<number, string>();
  readonly #fetching = new Set<number>();
  /** Lines that may have gone on since they were fetched; they are shown as they were until fetched again. */
  readonly #outdated = new Set<number>();
  /** The newest lines while nobody knows yet which numbers they have. */
  #tail: readonly string[] = [];
  #isReadingTail = false;
  #wanted: readonly LineRange[] = [];
  #picture: LogPicture = { extent: undefined, error: undefined };
  readonly #listeners = new Listeners();

  /** @param charset encoding of what is no UTF-8; as the engine takes it to be when absent */
  constructor(bridge: Bridge, address: LogAddress, charset?: LogCharset) {
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

  readonly read = (): LogPicture => this.#picture;

  /** A line by its 0-based number; undefined while it has not been fetched. */
  line(index: number): string | undefined {
    return this.#lines.get(index) ?? this.#tailLine(index);
  }

  /** Says which lines are in sight; those that are missing are fetched. */
  want(ranges: readonly LineRange[]): void {
    this.#wanted = ranges;
    for (const range of ranges) this.#fetchMissing(range);
  }

  #fetchMissing({ from, to }: LineRange): void {
    const total = this.#picture.extent?.totalLines ?? 0;
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

  /** The newest `limit` lines, for copying. */
  async readTail(limit: number): Promise<string[]> {
    return (await this.#read(-limit, limit)).lines;
  }

  /** Lines of a range, `to` exclusive, however long they are. */
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
    const before = this.#picture.extent;
    // What was the last line may have been unfinished.
    const last = (before?.totalLines ?? 0) - 1;
    if (before?.size !== extent.size && this.#lines.has(last)) this.#outdated.add(last);
    this.#change({ extent });
    if (extent.estimated) void this.#readTail();
    else this.#tail = [];
    this.want(this.#wanted);
  }

  #tailLine(index: number): string | undefined {
    const total = this.#picture.extent?.totalLines ?? 0;
    return this.#tail[index - (total - this.#tail.length)];
  }

  /** The end of a large log is there at once; a range of it by its numbers would wait until they are known. */
  async #readTail(): Promise<void> {
    if (this.#isReadingTail || this.#tail.length > 0) return;
    this.#isReadingTail = true;
    try {
      const { lines } = await this.#read(-tailLines, tailLines);
      if (this.#picture.extent?.estimated) this.#tail = lines;
      this.#change({});
    } catch {
      // The ranges that are read tell what is wrong.
    } finally {
      this.#isReadingTail = false;
    }
  }

  #isMissing(from: number, to: number): boolean {
    return this.#findMissing(from, to) < to;
  }

  /** The first line of a range that is to be fetched; `to` when there is none. */
  #findMissing(from: number, to: number): number {
    let index = from;
    while (index < to && this.#lines.has(index) && !this.#outdated.has(index)) index += 1;
    return index;
  }

  async #fetch(page: number): Promise<void> {
    this.#fetching.add(page);
    const size = this.#picture.extent?.size;
    const outdated = [...this.#outdated];
    let progress = false;
    try {
      // From the first missing line, because a reply may be cut short where lines are long.
      const end = (page + 1) * pageLines;
      const from = this.#findMissing(page * pageLines, end);
      const reply = await this.#read(from, end - from);
      progress = reply.lines.length > 0;
      reply.lines.forEach((line, offset) => this.#lines.set(reply.from + offset, line));
      // Only what was known to be out of date when this was asked for is up to date now.
      const isRead = (index: number): boolean =>
        index >= reply.from && index < reply.from + reply.lines.length;
      for (const index of outdated.filter(isRead)) this.#outdated.delete(index);
      this.#forgetFarLines();
      this.#change({ error: undefined });
    } catch (thrown) {
      const { code, message } = toAppError(thrown);
      this.#change({ error: { code, message } });
    } finally {
      this.#fetching.delete(page);
    }
    // The log may have grown meanwhile, or the reply was cut short because its lines were long.
    if (progress || this.#picture.extent?.size !== size) this.want(this.#wanted);
  }

  #forgetFarLines(): void {
    if (this.#lines.size <= keptLines) return;
    const reach = keptLines / 4;
    for (const index of this.#lines.keys()) {
      const isNear = this.#wanted.some(({ from, to }) => index >= from - reach && index <= to + reach);
      if (!isNear) this.#lines.delete(index);
    }
  }

  #change(change: Partial<LogPicture>): void {
    this.#picture = { ...this.#picture, ...change };
    this.#listeners.tell();
  }
}
