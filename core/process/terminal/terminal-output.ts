import { Readable } from 'node:stream';
import type { IPty } from 'node-pty';
import type { Clock } from '../../base/clock.ts';
import { processExists } from '../kill/kill-tree.ts';

/** How often to check whether a process is alive while its output is not read, in milliseconds. */
const pollIntervalMs = 50;

/**
 * The output of a process to its terminal, as the process wrote it: the terminal converts each `\n` to `\r\n`, and this
 * converts it back, so that a log has the same lines with and without a terminal and secrets with several lines are
 * recognized.
 */
export class TerminalOutput extends Readable {
  readonly #pty: IPty;
  readonly #clock: Clock;
  /** A `\r` at the end of a chunk: the `\n` may be in the next one. */
  #held = '';
  #isPaused = false;

  constructor(pty: IPty, clock: Clock) {
    super();
    this.#pty = pty;
    this.#clock = clock;
    pty.onData((chunk: string | Uint8Array) => this.#take(chunk));
    pty.onExit(() => {
      if (this.#held !== '') this.push(Buffer.from(this.#held, 'latin1'));
      this.push(null);
    });
  }

  override _read(): void {
    this.#resume();
  }

  /** Does nothing: the terminal keeps the event loop alive, not this stream. */
  unref(): void {}

  #take(chunk: string | Uint8Array): void {
    // One character per byte, whatever the encoding.
    const text = this.#held + Buffer.from(chunk as Uint8Array).toString('latin1');
    this.#held = text.endsWith('\r') ? '\r' : '';
    const completeText = text.slice(0, text.length - this.#held.length).replaceAll('\r\n', '\n');
    if (completeText === '' || this.push(Buffer.from(completeText, 'latin1')) || this.#isPaused) return;
    this.#isPaused = true;
    this.#pty.pause();
    this.#poll();
  }

  #resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#pty.resume();
  }

  /**
   * Checks whether the process is alive. The library closes the terminal a moment after the process has ended, read or
   * not; the remaining output is small and is read at once.
   */
  #poll(): void {
    this.#clock.after(pollIntervalMs, () => {
      if (!this.#isPaused) return;
      if (processExists(this.#pty.pid)) this.#poll();
      else this.#resume();
    });
  }
}
