import { Worker } from 'node:worker_threads';
import type { JqResult, JqJob, JqMessage, JqOutputSink } from './jq-job.ts';

/** Limit of the JavaScript heap in MB; jq's memory has its own limit. */
const heapLimitMb = 512;

/** Returns the URL of the thread's file: the source file, or the built file next to the engine bundle. */
const threadUrl = (): URL =>
  import.meta.url.endsWith('.ts')
    ? new URL('./jq-thread.ts', import.meta.url)
    : new URL('../worker/jq.cjs', import.meta.url);

/** A worker thread with jq. It keeps the process alive only while it runs a job. */
export class JqWorker {
  readonly #worker: Worker;
  #sink: JqOutputSink | undefined;
  #settle: ((result: JqResult) => void) | undefined;
  #isTerminated = false;

  constructor() {
    this.#worker = new Worker(threadUrl(), {
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
      this.#isTerminated = true;
      this.#end({ fault: 'the worker thread ended' });
    });
  }

  /** Whether it can run no more jobs. */
  get isTerminated(): boolean {
    return this.#isTerminated;
  }

  /** Runs one job at a time. The bytes of the input are transferred to the thread. Never rejects. */
  run(job: JqJob, sink: JqOutputSink): Promise<JqResult> {
    return new Promise((resolve) => {
      this.#sink = sink;
      this.#settle = resolve;
      this.#worker.ref();
      this.#worker.postMessage(job, listTransferable(job.input));
    });
  }

  /** Terminates the thread at once. Resolves when it has ended. */
  async close(): Promise<void> {
    this.#isTerminated = true;
    await this.#worker.terminate();
  }

  #receive(message: JqMessage): void {
    if (message.kind === 'end') this.#end(message.end);
    else this.#sink?.[message.kind](message.text);
  }

  #end(result: JqResult): void {
    const settle = this.#settle;
    this.#sink = undefined;
    this.#settle = undefined;
    this.#worker.unref();
    settle?.(result);
  }
}

/**
 * Lists the buffers to transfer. A part of a larger buffer is not transferred, because the rest is in use elsewhere.
 */
const listTransferable = ({ buffer, byteLength }: Uint8Array): ArrayBuffer[] =>
  buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
