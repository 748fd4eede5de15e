import { availableParallelism } from 'node:os';
import type { Clock, Dispose } from '../../base/clock.ts';
import type { JqEnd, JqJob, JqSink } from './jq-job.ts';
import { JqWorker } from './jq-worker.ts';

/** A thread without work is given up after this time. */
const idleMs = 30_000;

/** What a job is run with. */
export interface JobRequest {
  readonly job: JqJob;
  readonly sink: JqSink;
  /** Ends the job, and the thread that runs it: jq itself cannot be interrupted. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/** Threads with jq in them, kept for a while for the next job. */
export class JqPool {
  readonly #size: number;
  readonly #idle = new Map<JqWorker, Dispose>();
  readonly #waiting: (() => void)[] = [];
  #busy = 0;

  constructor(size: number = Math.max(1, Math.min(4, availableParallelism() - 1))) {
    this.#size = size;
  }

  /** How many threads there are. */
  get threads(): number {
    return this.#busy + this.#idle.size;
  }

  /** Runs a job as soon as a thread is free. Rejects with the signal's reason when it is aborted. */
  async run({ job, sink, signal, clock }: JobRequest): Promise<JqEnd> {
    await this.#takeTurn(signal);
    const worker = this.#takeWorker();
    const close = (): void => void worker.close();
    signal.addEventListener('abort', close, { once: true });
    try {
      const end = await worker.run(job, sink);
      signal.throwIfAborted();
      return end;
    } finally {
      signal.removeEventListener('abort', close);
      // It is not given back before its memory is.
      if (worker.isGone) await worker.close();
      else this.#keep(worker, clock);
      this.#giveTurn();
    }
  }

  #takeTurn(signal: AbortSignal): Promise<void> {
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

  /** To the one who has waited longest. */
  #giveTurn(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#busy -= 1;
    else next();
  }

  #takeWorker(): JqWorker {
    for (const [worker, stopWaiting] of this.#idle) {
      stopWaiting();
      this.#idle.delete(worker);
      if (!worker.isGone) return worker;
    }
    return new JqWorker();
  }

  #keep(worker: JqWorker, clock: Clock): void {
    // Unlike `after`, this keeps no process alive.
    const stop = clock.every(idleMs, () => {
      stop();
      this.#idle.delete(worker);
      void worker.close();
    });
    this.#idle.set(worker, stop);
  }
}
