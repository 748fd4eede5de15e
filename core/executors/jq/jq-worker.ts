import { Worker } from 'node:worker_threads';
import type { JqEnd, JqJob, JqMessage, JqSink } from './jq-job.ts';

/** JavaScript's own memory; jq's has a limit of its own. */
const heapLimitMb = 512;

/** As a source file, or as built for the folder beside the one of the engine's bundle. */
const placeThread = (): URL =>
  import.meta.url.endsWith('.ts')
    ? new URL('./jq-thread.ts', import.meta.url)
    : new URL('../worker/jq.cjs', import.meta.url);

/** A thread with jq in it. It keeps no process alive but while it works. */
export class JqWorker {
  readonly #worker: Worker;
  #sink: JqSink | undefined;
  #settle: ((end: JqEnd) => void) | undefined;
  #isGone = false;

  constructor() {
    this.#worker = new Worker(placeThread(), {
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: heapLimitMb },
    });
    this.#worker.unref();
    this.#worker.on('message', (message: JqMessage) => this.#receive(message));
    this.#worker.on('error', (error) => this.#end({ fault: `the worker thread failed: ${error.message}` }));
    this.#worker.on('exit', () => {
      this.#isGone = true;
      this.#end({ fault: 'the worker thread ended' });
    });
  }

  /** Whether it can take no more jobs. */
  get isGone(): boolean {
    return this.#isGone;
  }

  /** Runs a job; one at a time. The bytes of the input are moved into the thread. Never rejects. */
  run(job: JqJob, sink: JqSink): Promise<JqEnd> {
    return new Promise((resolve) => {
      this.#sink = sink;
      this.#settle = resolve;
      this.#worker.ref();
      this.#worker.postMessage(job, listOwned(job.input));
    });
  }

  /** Ends the thread at once, whatever it does. Resolves when it is gone. */
  async close(): Promise<void> {
    this.#isGone = true;
    await this.#worker.terminate();
  }

  #receive(message: JqMessage): void {
    if (message.kind === 'end') this.#end(message.end);
    else this.#sink?.[message.kind](message.text);
  }

  #end(end: JqEnd): void {
    const settle = this.#settle;
    this.#sink = undefined;
    this.#settle = undefined;
    this.#worker.unref();
    settle?.(end);
  }
}

/** A part of a larger buffer is copied: the rest is not ours. */
const listOwned = ({ buffer, byteLength }: Uint8Array): ArrayBuffer[] =>
  buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
