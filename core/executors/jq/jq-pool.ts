import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Clock, Dispose } from '../../base/clock.ts';
import type { JqResult, JqJob, JqOutputSink, JqMessage } from './jq-job.ts';

/** Milliseconds after which an idle thread ends. */
const idleMs = 30_000;

/** A job and its resources. */
export interface JobRequest {
  readonly job: JqJob;
  readonly sink: JqOutputSink;
  /** Aborting ends the thread that runs the job, because jq cannot be interrupted. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/** Worker threads with jq that are reused for later jobs. */
export class JqPool {
  readonly #size: number;
  readonly #idle = new Map<JqWorker, Dispose>();
  readonly #waiting: (() => void)[] = [];
  #busy = 0;

  constructor(size: number = Math.max(1, Math.min(4, availableParallelism() - 1))) {
    this.#size = size;
  }

  /** Number of threads. */
  get threads(): number {
    return this.#busy + this.#idle.size;
  }

  /** Runs a job when a thread is free. Rejects with the signal's reason when it is aborted. */
  async run({ job, sink, signal, clock }: JobRequest): Promise<JqResult> {
    await this.#acquireSlot(signal);
    const worker = this.#acquireWorker();
    const close = (): void => void worker.close();
    signal.addEventListener('abort', close, { once: true });
    try {
      const end = await worker.run(job, sink);
      signal.throwIfAborted();
      return end;
    } finally {
      signal.removeEventListener('abort', close);
      // Keep the slot until the memory of the thread is released.
      if (worker.isTerminated) await worker.close();
      else this.#keep(worker, clock);
      this.#grantSlot();
    }
  }

  #acquireSlot(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#busy < this.#size) {
      this.#busy += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const take = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(take), 1);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(take);
    });
  }

  /** Gives a free slot to the job that has waited longest. */
  #grantSlot(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#busy -= 1;
    else next();
  }

  #acquireWorker(): JqWorker {
    for (const [worker, stopWaiting] of this.#idle) {
      stopWaiting();
      this.#idle.delete(worker);
      if (!worker.isTerminated) return worker;
    }
    return new JqWorker();
  }

  #keep(worker: JqWorker, clock: Clock): void {
    // Unlike `after`, this does not keep the process alive.
    const stop = clock.every(idleMs, () => {
      stop();
      this.#idle.delete(worker);
      void worker.close();
    });
    this.#idle.set(worker, stop);
  }
}

/** Limit of the JavaScript heap in MB; jq's memory has its own limit. */
const heapLimitMb = 512;

/** Returns the URL of the thread's file: the source file, or the built file next to the engine bundle. */
const threadUrl = (): URL =>
  import.meta.url.endsWith('.ts')
    ? new URL('./jq-thread.ts', import.meta.url)
    : new URL('../worker/jq.cjs', import.meta.url);

/** A worker thread with jq. It keeps the process alive only while it runs a job. */
class JqWorker {
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
