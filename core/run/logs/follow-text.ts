import type { Clock, Dispose } from '../../base/clock.ts';
import { AppError, toAppError, toErrorBody } from '../../base/errors.ts';
import type { LogText, LogExtent } from '../../contract/logs.ts';
import type { StreamObserver } from '../../contract/transport.ts';
import {
  type DecodeText,
  findStart,
  chunkBytes,
  readChunk,
  type TextPosition,
  type TextStart,
} from './read-lines.ts';
import { type LogState, openLog } from './log-source.ts';

/** A log whose text is followed. */
export interface FollowedText {
  readonly file: string;
  readonly start: TextStart;
  readonly decode: DecodeText;
  /** Whether its writer is done; called before each poll, so that the last poll sees everything. */
  readonly isComplete: () => boolean;
  /** Returns the current state of the file; undefined when it does not exist. */
  readonly poll: (complete: boolean) => Promise<LogState | undefined>;
}

/**
 * Delivers the existing and new lines of a log until it is complete. The file is read in chunks, no faster than the
 * observer consumes them; unconsumed lines are not buffered.
 */
export class TextFollower {
  readonly #log: FollowedText;
  readonly #observer: StreamObserver<LogText>;
  readonly #clock: Clock;
  #stopTimer: Dispose = () => {};
  #position: TextPosition | undefined;
  #identity: string | undefined;
  /** Size up to which whole lines have been searched for. */
  #readTo: number | undefined;
  #stopped = false;

  constructor(log: FollowedText, observer: StreamObserver<LogText>, clock: Clock) {
    this.#log = log;
    this.#observer = observer;
    this.#clock = clock;
  }

  start(): void {
    void this.#poll();
  }

  /** Stops without notifying the observer. */
  stop(): void {
    this.#stopped = true;
    this.#stopTimer();
  }

  async #poll(): Promise<void> {
    try {
      const complete = this.#log.isComplete();
      const state = await this.#log.poll(complete);
      if (!this.#stopped) await this.#readOn(state, complete);
      if (this.#stopped) return;
      if (complete) return this.#end();
      this.#stopTimer = this.#clock.after(pollIntervalMs, () => void this.#poll());
    } catch (error) {
      if (!this.#stopped) this.#end(toAppError(error));
    }
  }

  #end(error?: AppError): void {
    this.stop();
    this.#observer.end(error && toErrorBody(error));
  }

  async #readOn(state: LogState | undefined, complete: boolean): Promise<void> {
    const size = this.#check(state);
    if (this.#position?.offset === size || (this.#readTo === size && !complete)) return;
    await using log = await openLog(this.#log.file);
    this.#position ??= await this.#begin(log);
    if (log === undefined) return;
    this.#readTo = size;
    const { decode } = this.#log;
    const request = { end: size, isLast: complete, buffer: Buffer.allocUnsafe(chunkBytes), decode };
    for (let position = this.#position; !this.#stopped && position.offset < size;) {
      const { lines, next } = await readChunk(log.handle, { position, ...request });
      if (this.#stopped || next.offset === position.offset) return;
      const { offset } = position;
      this.#position = position = next;
      if (lines.length === 0) continue;
      this.#observer.item({ id: next.offset, offset, lines });
      await this.#untilTaken();
    }
  }

  async #begin(log: Awaited<ReturnType<typeof openLog>>): Promise<TextPosition> {
    const position = await findStart(log, this.#log.start);
    if (!this.#stopped) this.#observer.position?.(position.offset);
    return position;
  }

  /** Returns the size of the file. Throws when the file no longer starts with the part that was read. */
  #check(state: LogState | undefined): number {
    const read = this.#position?.offset ?? this.#log.start.after ?? 0;
    if (state === undefined && read > 0) throw new AppError('not_found', 'The log has been deleted.');
    const isOther = read > 0 && this.#identity !== undefined && state?.identity !== this.#identity;
    this.#identity = state?.identity;
    if (state === undefined || (state.size >= read && !isOther)) return state?.size ?? 0;
    throw new AppError(
      'conflict',
      `The log was truncated or replaced: byte ${read} is not part of the current log. ` +
        'Read it from the beginning.',
      { details: { size: state.size } },
    );
  }

  /** Waits until the observer has consumed its lines; for an observer without backpressure, for an event-loop tick. */
  #untilTaken(): Promise<void> | undefined {
    if (this.#observer.drained) return this.#observer.drained();
    return new Promise((resolve) => this.#clock.soon(resolve));
  }
}

/** Polling interval of a followed log, in milliseconds. */
export const pollIntervalMs = 100;

/** How to poll a log. */
export interface FollowedLog {
  /** Whether its writer is done; called before each poll, so that the last poll sees everything. */
  readonly isComplete: () => boolean;
  readonly poll: (complete: boolean) => Promise<LogExtent>;
}

/** Reports the extent of a log, at once and with each change, until it is complete. */
export class LogFollower {
  readonly #log: FollowedLog;
  readonly #observer: StreamObserver<LogExtent>;
  readonly #clock: Clock;
  #stopTimer: Dispose = () => {};
  #last: LogExtent | undefined;
  #isPolling = false;
  #stopped = false;

  constructor(log: FollowedLog, observer: StreamObserver<LogExtent>, clock: Clock) {
    this.#log = log;
    this.#observer = observer;
    this.#clock = clock;
  }

  start(): void {
    this.#stopTimer = this.#clock.every(pollIntervalMs, () => void this.#poll());
    void this.#poll();
  }

  /** Stops without notifying the observer. */
  stop(): void {
    this.#stopped = true;
    this.#stopTimer();
  }

  async #poll(): Promise<void> {
    if (this.#isPolling || this.#stopped) return;
    this.#isPolling = true;
    try {
      const complete = this.#log.isComplete();
      this.#notify(await this.#log.poll(complete));
    } catch (error) {
      if (this.#stopped) return;
      this.stop();
      this.#observer.end(toErrorBody(toAppError(error)));
    } finally {
      this.#isPolling = false;
    }
  }

  #notify(extent: LogExtent): void {
    if (this.#stopped) return;
    if (!this.#last || differ(this.#last, extent)) this.#observer.item(extent);
    this.#last = extent;
    if (!extent.complete || extent.estimated) return;
    this.stop();
    this.#observer.end();
  }
}

const differ = (a: LogExtent, b: LogExtent): boolean =>
  a.size !== b.size ||
  a.totalLines !== b.totalLines ||
  a.complete !== b.complete ||
  a.estimated !== b.estimated ||
  a.binary !== b.binary;
