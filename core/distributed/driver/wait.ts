import type { ExecutorResult } from '../../executors/executor.ts';
import type { RemoteAttempt, RemoteWorker } from '../../run/remote/ports.ts';
import type { TaskRecord } from '../ports.ts';
import { readResult } from './read-result.ts';

/** Prefix of the error of attempts whose worker was lost, which retry policies and people can match. */
export const workerLost = 'worker_lost';

/** The end of a task that no worker has started. */
const withdrawn: ExecutorResult = { unstarted: true, error: 'canceled before a worker started it' };

/** An attempt that this host waits for. */
export class PendingTask {
  readonly attempt: RemoteAttempt;
  readonly ended: Promise<ExecutorResult>;
  /** Whether it has been offered to workers. */
  isOffered = false;
  /** Requested cancellation, and its time on the monotonic clock. */
  cancelRequest: { readonly how: 'stop' | 'kill'; readonly since: number } | undefined;
  /** Whether the latest cancellation request has been sent. */
  isCancelSent = true;
  readonly since: number;
  /** Log directory, if an earlier host offered the task with a different one. */
  reportedDir: string | undefined;
  #worker: RemoteWorker | undefined;
  #reason: string | undefined;
  readonly #end: (result: ExecutorResult) => void;

  /** @param since start of waiting, on the monotonic clock */
  constructor(attempt: RemoteAttempt, since: number) {
    const { promise, resolve } = Promise.withResolvers<ExecutorResult>();
    this.attempt = attempt;
    this.since = since;
    this.ended = promise;
    this.#end = resolve;
  }

  /** Returns the worker that has it; undefined if none. */
  get worker(): RemoteWorker | undefined {
    return this.#worker;
  }

  /** Reports why it waits, unless already reported. */
  explain(reason: string): void {
    if (this.#worker !== undefined || this.#reason === reason) return;
    this.#reason = reason;
    this.attempt.onWaiting(reason);
  }

  begin(worker: RemoteWorker): void {
    if (this.#worker !== undefined) return;
    this.#worker = worker;
    this.attempt.onStarted(worker);
  }

  /** Ends the attempt with the outcome of its task. */
  endWith({ state, result, reason, place: attemptDir }: TaskRecord): void {
    this.reportedDir = attemptDir;
    if (state === 'settled') return this.#end(readResult(result, this.attempt.maskSecrets));
    if (state === 'cancelled') return this.#end(withdrawn);
    const cause = reason ?? 'the worker stopped responding';
    if (this.#worker !== undefined) this.attempt.onLeft(this.#worker, cause);
    this.#end({ error: `${workerLost}: ${cause}` });
  }

  /** Ends an attempt that was never offered. */
  withdraw(): void {
    this.#end(withdrawn);
  }

  /** Ends an attempt whose task no longer exists. */
  markMissing(): void {
    this.#end({ error: `${workerLost}: the task no longer exists` });
  }
}
