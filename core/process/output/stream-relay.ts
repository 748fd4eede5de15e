import type { Readable, Writable } from 'node:stream';
import type { Clock } from '../../base/clock.ts';

/** How long processes that outlive their step may keep writing to the step's log, in milliseconds. */
const lingerMs = 500;

/** No pipe has a larger buffer: the output of a process until its end is within this many bytes. */
const maxInPipe = 1024 * 1024;

/** Copies a pipe to a stream, as fast as the stream accepts data, and ends the stream with the pipe. */
export class StreamRelay {
  readonly #source: Readable;
  readonly #target: Writable;
  readonly #ended: Promise<void>;
  #isEnded = false;
  #isFull = false;
  /** Bytes copied so far. */
  #forwarded = 0;

  constructor(source: Readable, target: Writable) {
    this.#source = source;
    this.#target = target;
    this.#ended = new Promise((resolve) => {
      source.once('close', () => {
        this.#isEnded = true;
        target.end();
        resolve();
      });
    });
    // The pipe closes then, which also ends it.
    source.on('error', () => {});
    source.on('data', (chunk: Buffer) => this.#forward(chunk));
  }

  /**
   * Resolves when the pipe has ended. Call it when the process has ended: a child that left its session may keep the
   * pipe open, and is cut off after a moment, but not before all output of the process itself was copied.
   */
  async drain(clock: Clock): Promise<void> {
    const maxForwarded = this.#forwarded + maxInPipe;
    const dispose = clock.after(lingerMs, () => this.#closeWhenDrained(clock, maxForwarded));
    await this.#ended;
    dispose();
  }

  #forward(chunk: Buffer): void {
    this.#forwarded += chunk.length;
    if (this.#target.write(chunk)) return;
    this.#source.pause();
    if (this.#isFull) return;
    this.#isFull = true;
    this.#target.once('drain', () => {
      this.#isFull = false;
      this.#source.resume();
    });
  }

  /**
   * Cuts the pipe off when it is empty. Two event-loop ticks without data show that: the second one has certainly
   * polled it.
   */
  #closeWhenDrained(clock: Clock, maxForwarded: number): void {
    if (this.#isEnded) return;
    if (this.#isFull) {
      this.#target.once('drain', () => this.#closeWhenDrained(clock, maxForwarded));
      return;
    }
    const before = this.#forwarded;
    clock.soon(() =>
      clock.soon(() => {
        const isRead = this.#forwarded >= maxForwarded || (this.#forwarded === before && !this.#isFull);
        if (isRead) this.#source.destroy();
        else this.#closeWhenDrained(clock, maxForwarded);
      }),
    );
  }
}
