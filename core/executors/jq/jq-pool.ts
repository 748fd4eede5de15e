import { availableParallelism } from 'node:os';
import type { Clock, Dispose } from '../../base/clock.ts';
import type { JqResult, JqJob, JqOutputSink } from './jq-job.ts';
import { JqWorker } from './jq-worker.ts';

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
