import type { Dispose } from '../../../../core/base/clock.ts';
import type { ErrorBody } from '../../../../core/base/errors.ts';
import { Listeners } from '../../../../core/base/listeners.ts';
import type { LogExtent } from '../../../../core/contract/runs/logs.ts';
import type { Bridge } from '../../../../core/contract/transport/bridge.ts';
import type { LogCharset } from '../../../../core/model/workflow/log-charset.ts';
import { LogLineCache, type LogRef } from './log-line-cache.ts';
import { LogTimes, type LogTimesSnapshot } from './log-times.ts';
import type { LineRange } from '../rows/line-ranges.ts';
import type { LinePosition, LogStream } from '../rows/line-rows.ts';

/** State of the log of an attempt. A new object for every change. */
export interface LogDocumentSnapshot {
  /** Of the shown streams; absent until the engine has reported them. */
  readonly extents: Partial<Readonly<Record<LogStream, LogExtent>>>;
  readonly error: ErrorBody | undefined;
  readonly times: LogTimesSnapshot;
}

interface LogSelection {
  readonly address: LogRef;
  readonly streams: readonly LogStream[];
  readonly charset?: LogCharset | undefined;
}

/** One or both streams of an attempt's log, with timestamps. */
export class LogDocument {
  readonly address: LogRef;
  readonly streams: readonly LogStream[];
  readonly charset: LogCharset | undefined;
  readonly #lineCaches: Partial<Record<LogStream, LogLineCache>> = {};
  readonly #times: LogTimes;
  readonly #listeners = new Listeners();
  #wantsTimes: boolean;
  #snapshot: LogDocumentSnapshot;

  constructor(bridge: Bridge, { address, streams, charset }: LogSelection) {
    this.address = address;
    this.streams = streams;
    this.charset = charset;
    for (const stream of streams)
      this.#lineCaches[stream] = new LogLineCache(bridge, { ...address, stream }, charset);
    this.#times = new LogTimes(bridge, address);
    this.#wantsTimes = streams.length > 1;
    this.#snapshot = { extents: {}, error: undefined, times: this.#times.read() };
  }

  /** Follows the log until disposed. */
  open(): Dispose {
    const disposes = this.streams.flatMap((stream) => {
      const book = this.#lineCaches[stream]!;
      return [book.subscribe(() => this.#change(stream)), book.open()];
    });
    disposes.push(this.#times.subscribe(() => this.#change()));
    if (this.#wantsTimes) this.#times.refresh();
    return () => {
      for (const dispose of disposes) dispose();
    };
  }

  readonly subscribe = this.#listeners.add;

  readonly read = (): LogDocumentSnapshot => this.#snapshot;

  /** Starts loading timestamps. */
  wantTimes(): void {
    if (this.#wantsTimes) return;
    this.#wantsTimes = true;
    this.#times.refresh();
  }

  line({ stream, line }: LinePosition): string | undefined {
    return this.#lineCaches[stream]?.line(line);
  }

  /** Sets the visible lines of a stream. */
  want(stream: LogStream, ranges: readonly LineRange[]): void {
    this.#lineCaches[stream]?.want(ranges);
  }

  readRange(stream: LogStream, from: number, to: number): Promise<string[]> {
    return this.#lineCaches[stream]?.readRange(from, to) ?? Promise.resolve([]);
  }

  #change(stream?: LogStream): void {
    const extents: Partial<Record<LogStream, LogExtent>> = {};
    let error: ErrorBody | undefined;
    for (const each of this.streams) {
      const snapshot = this.#lineCaches[each]!.read();
      if (snapshot.extent) extents[each] = snapshot.extent;
      error ??= snapshot.error;
    }
    const hasGrown =
      stream !== undefined &&
      (this.#snapshot.extents[stream]?.size !== extents[stream]?.size ||
        this.#snapshot.extents[stream]?.complete !== extents[stream]?.complete);
    this.#snapshot = { extents, error, times: this.#times.read() };
    if (hasGrown && this.#wantsTimes) this.#times.refresh();
    this.#listeners.notify();
  }
}
