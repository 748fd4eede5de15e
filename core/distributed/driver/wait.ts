import type { ExecutorEnd } from '../../executors/executor.ts';
import type { RemoteAttempt, RemoteWorker } from '../../run/remote/ports.ts';
import type { TaskRecord } from '../ports.ts';
import { readResult } from './read-result.ts';

/** Begins what the reasons of attempts have in common whose worker was lost; policies and people may look for it. */
export const workerLost = 'worker_lost';

/** The end of what no worker had begun. */
const withdrawn: ExecutorEnd = { unstarted: true, error: 'canceled before a worker started it' };

/** One attempt that this host waits for. */
export class Wait {
  readonly attempt: RemoteAttempt;
  readonly ended: Promise<ExecutorEnd>;
  /** Whether the workers are known to know of it. */
  isOffered = false;
  /** What is wanted, and since when by the monotonic clock. */
  wanted: { readonly how: 'stop' | 'kill'; readonly since: number } | undefined;
  /** Whether the newest of what is wanted has been told. */
  isTold = true;
  readonly since: number;
  /** The folder that its logs go to, when another host had offered it with one of its own. */
  told: string | undefined;
  #worker: RemoteWorker | undefined;
  #reason: string | undefined;
  readonly #end: (end: ExecutorEnd) => void;

  /** @param since when it began to wait, by the monotonic clock */
  constructor(attempt: RemoteAttempt, since: number) {
    const { promise, resolve } = Promise.withResolvers<ExecutorEnd>();
    this.attempt = attempt;
    this.since = since;
    this.ended = promise;
    this.#end = resolve;
  }

  /** Who has it; undefined while nobody does. */
  get worker(): RemoteWorker | undefined {
    return this.#worker;
  }

  /** Says why it waits, unless that has been said already. */
  explain(reason: string): void {
    if (this.#worker !== undefined || this.#reason === reason) return;
    this.#reason = reason;
    this.attempt.onWaiting(reason);
  }

  begin(worker: RemoteWorker): void {
    if (this.#worker !== undefined) return;
    this.#worker = worker;
    this.attempt.onBegun(worker);
  }

  /** Ends it as its task has ended. */
  endAs({ state, result, reason, place }: TaskRecord): void {
    this.told = place;
    if (state === 'settled') return this.#end(readResult(result, this.attempt.hide));
    if (state === 'cancelled') return this.#end(withdrawn);
    const why = reason ?? 'the worker stopped responding';
    if (this.#worker !== undefined) this.attempt.onLeft(this.#worker, why);
    this.#end({ error: `${workerLost}: ${why}` });
  }

  /** Ends what no worker has ever heard of. */
  withdraw(): void {
    this.#end(withdrawn);
  }

  /** Ends what nobody knows of any more. */
  vanish(): void {
    this.#end({ error: `${workerLost}: the task no longer exists` });
  }
}
