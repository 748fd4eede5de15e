import type { Dispose } from '../../../core/base/clock.ts';
import type { ErrorBody } from '../../../core/base/errors.ts';
import { Listeners } from '../../../core/base/emitter.ts';
import type { LogMatches } from '../../../core/contract/logs.ts';
import type { Bridge } from '../../../core/contract/transport.ts';
import type { LogCharset } from '../../../core/model/workflow-rules.ts';
import { systemClock } from '../../base/clock.ts';
import type { LogRef } from './log-line-cache.ts';
import type { LinePosition, LogStream } from './line-rows.ts';

/** The search query. */
export interface LogQuery {
  readonly query: string;
  readonly regex: boolean;
  readonly matchCase: boolean;
}

/** Without its stream. */
type SearchedLog = LogRef & { readonly charset?: LogCharset };
type Columns = LogMatches['hits'][number]['columns'];
type Part = Pick<LogMatches, 'from' | 'to' | 'count'>;

/** State of a search. A new object for every change. */
export interface SearchSnapshot {
  /** Number of matching lines so far. */
  readonly count: number;
  /** Individually known matching lines, in order; the first ones of each stream. */
  readonly hits: readonly LinePosition[];
  /** Number of matching lines per part of the log. */
  readonly searchedRanges: readonly (Part & { readonly stream: LogStream })[];
  /** From 0 to 1; 1 when finished. */
  readonly progress: number;
  readonly error: ErrorBody | undefined;
}

/** Maximum number of individually known lines per stream. */
export const maxHits = 10_000;
/** Minimum time between two updates. */
const drawEveryMs = 50;
const maxExtra = 20_000;

/** A search of a whole log, in one or both streams, performed by the engine. */
export class LogSearch {
  readonly query: LogQuery;
  readonly #bridge: Bridge;
  readonly #address: SearchedLog;
  readonly #streams: readonly LogStream[];
  readonly #columns = new Map<string, Columns>();
  readonly #done = new Map<LogStream, { offset: number; size: number; line: number; isOver: boolean }>();
  readonly #hits: LinePosition[] = [];
  readonly #searchedRanges: (Part & { readonly stream: LogStream })[] = [];
  readonly #requestedKeys = new Set<string>();
  readonly #listeners = new Listeners();
  readonly #stops: Dispose[] = [];
  #count = 0;
  #error: ErrorBody | undefined;
  #snapshot: SearchSnapshot = { count: 0, hits: [], searchedRanges: [], progress: 0, error: undefined };
  #stopDrawing: Dispose | undefined;

  constructor(
    bridge: Bridge,
    request: { address: SearchedLog; streams: readonly LogStream[]; query: LogQuery },
  ) {
    this.#bridge = bridge;
    this.#address = request.address;
    this.#streams = request.streams;
    this.query = request.query;
  }

  /** Starts the search until disposed. */
  open(): Dispose {
    for (const stream of this.#streams) this.#follow(stream, 0);
    return () => this.close();
  }

  close(): void {
    for (const stop of this.#stops.splice(0)) stop();
    this.#stopDrawing?.();
    this.#stopDrawing = undefined;
  }

  readonly subscribe = this.#listeners.add;

  readonly read = (): SearchSnapshot => this.#snapshot;

  /** Returns the positions of matches in a line; undefined for a line without known matches. */
  getColumns({ stream, line }: LinePosition): Columns | undefined {
    return this.#columns.get(`${stream} ${line}`);
  }

  /** Sets the visible lines, so that matches beyond the individually known ones are highlighted too. */
  want(stream: LogStream, from: number, to: number): void {
    if (!this.#isTruncated(stream) || from <= this.#lastKnown(stream)) return;
    const key = `${stream} ${Math.floor(from / 100)}`;
    if (this.#requestedKeys.has(key)) return;
    this.#requestedKeys.add(key);
    void this.#findAll(stream, { from: Math.floor(from / 100) * 100, to: to + 100, limit: 1_000 });
  }

  /** Searches new output after the log has grown. */
  grow(stream: LogStream, size: number): void {
    const done = this.#done.get(stream);
    if (!done?.isOver || size <= done.size || this.#error) return;
    this.#follow(stream, Math.max(0, done.line - 1));
  }

  /** Returns the next matching line of a stream beyond the individually known ones. */
  async findNext({ stream, line }: LinePosition): Promise<LinePosition | undefined> {
    if (!this.#isTruncated(stream) || line < this.#lastKnown(stream)) return undefined;
    const [found] = await this.#findAll(stream, { from: line + 1, limit: 1 });
    return found;
  }

  /** Returns the previous matching line of a stream, for a line beyond the individually known ones. */
  async findPrevious({ stream, line }: LinePosition): Promise<LinePosition | undefined> {
    if (!this.#isTruncated(stream) || line <= this.#lastKnown(stream)) return undefined;
    for (const part of this.#searchedRanges.toReversed()) {
      if (part.stream !== stream || part.count === 0 || part.from >= line) continue;
      const found = await this.#findAll(stream, {
        from: part.from,
        to: Math.min(part.to, line),
        limit: maxHits,
      });
      if (found.length > 0) return found.at(-1);
    }
    return undefined;
  }

  #isTruncated(stream: LogStream): boolean {
    return this.#hits.filter((hit) => hit.stream === stream).length >= maxHits;
  }

  #lastKnown(stream: LogStream): number {
    return this.#hits.findLast((hit) => hit.stream === stream)?.line ?? -1;
  }

  #follow(stream: LogStream, from: number): void {
    const known = new Set(this.#hits.filter((hit) => hit.stream === stream).map(({ line }) => line));
    const before = this.#done.get(stream);
    this.#done.set(stream, {
      offset: before?.offset ?? 0,
      size: before?.size ?? 1,
      line: from,
      isOver: false,
    });
    const limit = Math.max(1, maxHits - known.size);
    const input = { ...this.#address, ...this.query, stream, from, limit };
    this.#stops.push(
      this.#bridge.follow('logs.search', input, {
        item: (found) => this.#take(stream, found, known),
        end: (error) => {
          this.#error ??= error;
          const done = this.#done.get(stream)!;
          this.#done.set(stream, { ...done, isOver: true });
          this.#draw();
        },
      }),
    );
  }

  #take(stream: LogStream, found: LogMatches, known: ReadonlySet<number>): void {
    const { from, to, hits, offset, size } = found;
    // The previous last line is searched again, since it may have continued.
    const repeated = hits.filter(({ line }) => known.has(line)).length;
    const count = found.count - repeated;
    this.#count += count;
    this.#searchedRanges.push({ stream, from, to, count });
    for (const { line, columns } of hits) {
      this.#columns.set(`${stream} ${line}`, columns);
      if (!known.has(line)) this.#hits.push({ stream, line });
    }
    this.#done.set(stream, { offset, size, line: to, isOver: false });
    this.#stopDrawing ??= systemClock.after(this.#count === count ? 0 : drawEveryMs, () => this.#draw());
  }

  #draw(): void {
    this.#stopDrawing?.();
    this.#stopDrawing = undefined;
    const all = [...this.#done.values()];
    const isOver = all.every((done) => done.isOver);
    const share =
      all.reduce((sum, { offset, size }) => sum + (size === 0 ? 1 : offset / size), 0) / all.length;
    this.#snapshot = {
      count: this.#count,
      hits: [...this.#hits],
      searchedRanges: [...this.#searchedRanges],
      progress: isOver ? 1 : Math.min(0.99, share),
      error: this.#error,
    };
    this.#listeners.notify();
  }

  #findAll(
    stream: LogStream,
    range: { readonly from: number; readonly to?: number; readonly limit: number },
  ): Promise<LinePosition[]> {
    return new Promise((resolve) => {
      const found: LinePosition[] = [];
      if (this.#columns.size > maxHits * 2 + maxExtra) this.#evictExtraHits();
      const input = { ...this.#address, ...this.query, stream, ...range };
      const finish = (): void => {
        stop();
        resolve(found);
        this.#listeners.notify();
      };
      const stop = this.#bridge.follow('logs.search', input, {
        item: ({ hits }) => {
          for (const { line, columns } of hits) {
            this.#columns.set(`${stream} ${line}`, columns);
            found.push({ stream, line });
          }
          if (found.length >= range.limit) finish();
        },
        end: finish,
      });
      this.#stops.push(stop);
    });
  }

  #evictExtraHits(): void {
    const retained = new Set(this.#hits.map(({ stream, line }) => `${stream} ${line}`));
    for (const key of this.#columns.keys()) if (!retained.has(key)) this.#columns.delete(key);
    this.#requestedKeys.clear();
  }
}
