import type { Dispose } from '../../../core/base/clock.ts';
import { Listeners } from '../../../core/base/emitter.ts';
import type { Bridge } from '../../../core/contract/transport.ts';
import type { ErrorBody } from '../../../core/base/errors.ts';
import type { LogExtent } from '../../../core/contract/logs.ts';
import type { LogCharset } from '../../../core/model/workflow-rules.ts';
import { systemClock } from '../../base/clock.ts';
import { type LogRef, LogLineCache, type LineRange } from './log-line-cache.ts';
import type { TimeMarks, LinePosition, LogStream } from './line-rows.ts';

/** The known timestamps of a log. A new object for every change. */
interface LogTimesSnapshot extends TimeMarks {
  /** Epoch milliseconds; absent until known. */
  readonly startedAt: number | undefined;
  readonly finishedAt: number | undefined;
}

/** Interval between two requests while the log grows. */
const askEveryMs = 500;

/** Timestamps of log lines. They are loaded only on demand, and again where the log has grown. */
class LogTimes {
  readonly #bridge: Bridge;
  readonly #address: LogRef;
  readonly #listeners = new Listeners();
  #snapshot: LogTimesSnapshot = {
    at: [],
    stdout: [],
    stderr: [],
    startedAt: undefined,
    finishedAt: undefined,
  };
  #next = 0;
  #isAsking = false;
  #isOutdated = false;
  #askedAt = -Infinity;
  #stopTimer: Dispose = () => {};

  constructor(bridge: Bridge, address: LogRef) {
    const { name, dagRunId, step, section, attempt, item } = address;
    this.#bridge = bridge;
    this.#address = {
      ...{ name, dagRunId, step },
      ...(section && { section }),
      ...(attempt !== undefined && { attempt }),
      ...(item !== undefined && { item }),
    };
  }

  readonly subscribe = this.#listeners.add;

  readonly read = (): LogTimesSnapshot => this.#snapshot;

  /** Loads more timestamps if there may be any. */
  refresh(): void {
    this.#isOutdated = true;
    const wait = this.#askedAt + askEveryMs - systemClock.monotonic();
    if (this.#isAsking) return;
    this.#stopTimer();
    if (wait <= 0) void this.#ask();
    else this.#stopTimer = systemClock.after(wait, () => void this.#ask());
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    this.#isOutdated = false;
    this.#askedAt = systemClock.monotonic();
    try {
      let more = true;
      while (more) {
        const reply = await this.#bridge.call('logs.times', { ...this.#address, after: this.#next });
        this.#next = reply.next;
        this.#take(reply);
        more = reply.more;
      }
    } catch {
      // Errors are reported by the log itself.
    } finally {
      this.#isAsking = false;
    }
    if (this.#isOutdated) this.refresh();
  }

  #take(reply: TimeMarks & { readonly startedAt: string; readonly finishedAt?: string | undefined }): void {
    const { at, stdout, stderr } = this.#snapshot;
    this.#snapshot = {
      at: [...at, ...reply.at],
      stdout: [...stdout, ...reply.stdout],
      stderr: [...stderr, ...reply.stderr],
      startedAt: Date.parse(reply.startedAt),
      finishedAt: reply.finishedAt === undefined ? undefined : Date.parse(reply.finishedAt),
    };
    this.#listeners.notify();
  }
}

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
