import type { Clock } from '../../core/base/clock.ts';
import { systemClock } from '../app/clock.ts';
import { reloadWaitsMs } from '../loading/load-part.ts';

/**
 * A worker that is started again when its program did not come (load-part.ts says why that happens), with all that it
 * was told so far; when none of the attempts has helped, once it is told something more. Once it has said something,
 * its program is there, and what fails then is a defect.
 */
export class LastingWorker {
  #onMessage: ((event: MessageEvent) => void) | undefined;
  #onFailure: ((failure: Error) => void) | undefined;
  readonly #start: () => Worker;
  readonly #clock: Clock;
  /** Of the attempts that are left, milliseconds. */
  #waits = [...reloadWaitsMs];
  /** What it was told before it said anything. */
  #told: unknown[] | undefined = [];
  /** None after the last attempt, and after its end. */
  #worker: Worker | undefined;
  #isOver = false;

  constructor(start: () => Worker, clock: Clock = systemClock) {
    this.#start = start;
    this.#clock = clock;
    this.#worker = this.#begin();
  }

  /** For the library that lays graphs out, which is given a worker. */
  set onmessage(listener: (event: MessageEvent) => void) {
    this.#onMessage = listener;
  }

  /** @param onFailure is told of a defect, and of a program that cannot be had */
  listen(onMessage: (event: MessageEvent) => void, onFailure: (failure: Error) => void): void {
    this.#onMessage = onMessage;
    this.#onFailure = onFailure;
  }

  postMessage(message: unknown): void {
    this.#told?.push(message);
    if (this.#worker === undefined) {
      this.#waits = [...reloadWaitsMs];
      this.#worker = this.#begin();
    }
    this.#worker.postMessage(message);
  }

  terminate(): void {
    this.#isOver = true;
    this.#worker?.terminate();
  }

  #begin(): Worker {
    const worker = this.#start();
    worker.addEventListener('message', (event) => {
      this.#told = undefined;
      this.#onMessage?.(event);
    });
    worker.addEventListener('error', (event) => this.#fail(event));
    return worker;
  }

  #fail({ message }: ErrorEvent): void {
    if (this.#told === undefined) return this.#onFailure?.(new Error(message));
    this.#worker?.terminate();
    const wait = this.#waits.shift();
    if (wait !== undefined) return void this.#clock.after(wait, () => this.#beginAgain());
    this.#worker = undefined;
    this.#told = [];
    this.#onFailure?.(new Error(message || 'A background worker failed to load.'));
  }

  #beginAgain(): void {
    if (this.#isOver) return;
    this.#worker = this.#begin();
    for (const message of this.#told ?? []) this.#worker.postMessage(message);
  }
}
