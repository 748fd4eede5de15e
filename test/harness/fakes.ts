import type { Clock, Dispose } from '../../core/base/clock.ts';
import type { Logger } from '../../core/base/logger.ts';

interface Timer {
  at: number;
  readonly every: number | undefined;
  readonly callback: () => void;
}

/** A clock that a test advances; timers due meanwhile fire in order. */
export class FakeClock implements Clock {
  #monotonic = 0;
  #wallOffset: number;
  readonly #timers = new Set<Timer>();

  constructor(startEpochMs = Date.UTC(2026, 0, 1)) {
    this.#wallOffset = startEpochMs;
  }

  now(): number {
    return this.#wallOffset + this.#monotonic;
  }

  monotonic(): number {
    return this.#monotonic;
  }

  after(delayMs: number, callback: () => void): Dispose {
    return this.#add({ at: this.#monotonic + delayMs, every: undefined, callback });
  }

  /** Resolves after an event-loop tick, independent of time. */
  soon(callback: () => void): void {
    setImmediate(callback);
  }

  every(intervalMs: number, callback: () => void): Dispose {
    return this.#add({ at: this.#monotonic + intervalMs, every: intervalMs, callback });
  }

  /** Advances the time, stopping at each due timer. */
  advance(milliseconds: number): void {
    const end = this.#monotonic + milliseconds;
    for (let timer = this.#nextUntil(end); timer; timer = this.#nextUntil(end)) this.#fire(timer);
    this.#monotonic = end;
  }

  /** Does the same, and lets what a timer has started read the store before the next timer fires. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.#monotonic + milliseconds;
    for (let timer = this.#nextUntil(end); timer; timer = this.#nextUntil(end)) {
      this.#fire(timer);
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#monotonic = end;
  }

  #fire(timer: Timer): void {
    this.#monotonic = timer.at;
    if (timer.every === undefined) this.#timers.delete(timer);
    else timer.at += timer.every;
    timer.callback();
  }

  /** Sets the wall clock, as a person or a time server would; durations are not affected. */
  jumpTo(epochMs: number): void {
    this.#wallOffset = epochMs - this.#monotonic;
  }

  /** Timers not yet fired or disposed; none should be left at the end of a test. */
  get pending(): number {
    return this.#timers.size;
  }

  #add(timer: Timer): Dispose {
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  #nextUntil(end: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) if (timer.at <= end && (!next || timer.at < next.at)) next = timer;
    return next;
  }
}

/** Reports nothing. */
export const silentLogger: Logger = { info() {}, warn() {}, error() {} };

/** Records log messages, one line each, with their fields. */
export class RecordingLogger implements Logger {
  readonly all: string[] = [];
  readonly info = this.#record.bind(this);
  readonly warn = this.#record.bind(this);
  readonly error = this.#record.bind(this);

  #record(message: string, fields?: object): void {
    this.all.push(`${message} ${JSON.stringify(fields ?? {})}`);
  }

  has(text: string): boolean {
    return this.all.some((line) => line.includes(text));
  }
}
