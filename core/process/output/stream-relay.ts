import type { Readable, Writable } from 'node:stream';
import type { Clock } from '../../base/clock.ts';

/** How long what outlives its step may go on writing into the step's log, milliseconds. */
const lingerMs = 500;

/** No pipe holds more than this: what a process had written at its end is within the next so many bytes. */
const mostInPipe = 1024 * 1024;

/** Moves what comes out of a pipe into a stream, as fast as that takes it, and ends the stream with the pipe. */
export class StreamRelay {
  readonly #source: Readable;
  readonly #target: Writable;
  readonly #ended: Promise<void>;
  #isOver = false;
  #isFull = false;
  /** Bytes moved so far. */
  #moved = 0;

  constructor(source: Readable, target: Writable) {
    this.#source = source;
    this.#target = target;
    this.#ended = new Promise((resolve) => {
      source.once('close', () => {
        this.#isOver = true;
        target.end();
        resolve();
      });
    });
    // The pipe closes then, which is its end as well.
    source.on('error', () => {});
    source.on('data', (piece: Buffer) => this.#move(piece));
  }

  /**
   * Resolves when the pipe has ended. Call it when the process has: somebody who left its session may keep the pipe
   * open, and is cut off after a moment, but not before everything that the process itself wrote has been moved.
   */
  async settle(clock: Clock): Promise<void> {
    const enough = this.#moved + mostInPipe;
    const dispose = clock.after(lingerMs, () => this.#cutWhenRead(clock, enough));
    await this.#ended;
    dispose();
  }

  #move(piece: Buffer): void {
    this.#moved += piece.length;
    if (this.#target.write(piece)) return;
    this.#source.pause();
    if (this.#isFull) return;
    this.#isFull = true;
    this.#target.once('drain', () => {
      this.#isFull = false;
      this.#source.resume();
    });
  }

  /** Two turns of the loop without a byte tell that the pipe is empty: the second one has certainly looked. */
  #cutWhenRead(clock: Clock, enough: number): void {
    if (this.#isOver) return;
    if (this.#isFull) {
      this.#target.once('drain', () => this.#cutWhenRead(clock, enough));
      return;
    }
    const before = this.#moved;
    clock.soon(() =>
      clock.soon(() => {
        const isRead = this.#moved >= enough || (this.#moved === before && !this.#isFull);
        if (isRead) this.#source.destroy();
        else this.#cutWhenRead(clock, enough);
      }),
    );
  }
}
