import { Readable } from 'node:stream';
import type { IPty } from 'node-pty';
import type { Clock } from '../../base/clock.ts';
import { isThere } from '../ending/kill-tree.ts';

/** How often a process is looked at while nobody reads what it has written, milliseconds. */
const lookEveryMs = 50;

/**
 * What a process writes to its terminal, as it wrote it: the terminal makes `\r\n` of each `\n`, and this takes it
 * back, so that a log has the same lines with and without a terminal and secrets of several lines are found in it.
 */
export class TerminalOutput extends Readable {
  readonly #pty: IPty;
  readonly #clock: Clock;
  /** A `\r` at the end of a piece: the `\n` may be in the next one. */
  #held = '';
  #isPaused = false;

  constructor(pty: IPty, clock: Clock) {
    super();
    this.#pty = pty;
    this.#clock = clock;
    pty.onData((piece: string | Uint8Array) => this.#take(piece));
    pty.onExit(() => {
      if (this.#held !== '') this.push(Buffer.from(this.#held, 'latin1'));
      this.push(null);
    });
  }

  override _read(): void {
    this.#resume();
  }

  /** It has no part in keeping the event loop alive; the terminal has. */
  unref(): void {}

  #take(piece: string | Uint8Array): void {
    // One character for each byte, whatever the encoding.
    const text = this.#held + Buffer.from(piece as Uint8Array).toString('latin1');
    this.#held = text.endsWith('\r') ? '\r' : '';
    const whole = text.slice(0, text.length - this.#held.length).replaceAll('\r\n', '\n');
    if (whole === '' || this.push(Buffer.from(whole, 'latin1')) || this.#isPaused) return;
    this.#isPaused = true;
    this.#pty.pause();
    this.#look();
  }

  #resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#pty.resume();
  }

  /**
   * The library closes the terminal a moment after the process has ended, read or not. What is in it then is little:
   * it is taken at once.
   */
  #look(): void {
    this.#clock.after(lookEveryMs, () => {
      if (!this.#isPaused) return;
      if (isThere(this.#pty.pid)) this.#look();
      else this.#resume();
    });
  }
}
