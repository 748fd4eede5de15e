import { Worker } from 'node:worker_threads';
import type { Clock, Dispose } from '../../base/clock.ts';
import { AppError, type ErrorBody } from '../../base/errors.ts';
import { toMs, type ThreadReply } from './serve-requests.ts';

/** Options for the threads of one program. */
export interface DeadlineThreadsOptions {
  /** The work of the threads, for messages: "Checking the workflow". */
  readonly task: string;
  /** Advice for a request that takes too long: "Simplify its patterns." */
  readonly remedy: string;
  /** The program of a thread, which calls `serveRequests`. */
  readonly program: URL;
  readonly clock: Clock;
  /**
   * Time for one request, in milliseconds, from the moment a thread starts it. Time in which a busy machine gives the
   * thread no CPU does not count, up to ten times as long.
   */
  readonly timeoutMs: number;
  /** Heap of one thread, in megabytes. */
  readonly heapLimitMb: number;
  /** Threads at once. */
  readonly size: number;
  /** Most requests that may wait for a thread; further ones are rejected with `too_many_requests`. */
  readonly maxWaiting: number;
  /** How long an idle thread stays alive, in milliseconds. */
  readonly idleMs?: number;
}

/** Creates threads that a module shares between all its callers: one set per clock, so one set per process. */
export function perClock<Threads>(open: (clock: Clock) => Threads): (clock: Clock) => Threads {
  const threadsByClock = new WeakMap<Clock, Threads>();
  return (clock) => {
    const threads = threadsByClock.get(clock) ?? open(clock);
    threadsByClock.set(clock, threads);
    return threads;
  };
}

/** A request exceeded its time or memory. */
export class DeadlineError extends AppError {
  constructor(message: string) {
    super('bad_request', message);
    this.name = 'DeadlineError';
  }
}

/** Loading a program takes a tenth of a second; on a busy machine several times that. */
const startTimeoutMs = 30_000;

/** Runs work that user input can make expensive, in threads that are terminated at a deadline. */
export class DeadlineThreads<Request, Response> {
  readonly #options: DeadlineThreadsOptions;
  readonly #threads = new Set<Thread<Request, Response>>();
  readonly #waiting: Job<Request, Response>[] = [];
  #isClosed = false;

  constructor(options: DeadlineThreadsOptions) {
    this.#options = options;
  }

  /**
   * Runs one request in a thread.
   * @throws DeadlineError when it exceeds its time or memory, `too_many_requests` when too many wait, `unavailable`
   * after `close`, or an AppError that the program itself throws
   */
  run(request: Request): Promise<Response> {
    const { task, size, maxWaiting } = this.#options;
    if (this.#isClosed) return Promise.reject(stoppingError());
    return new Promise((resolve, reject) => {
      const job = { request, resolve, reject };
      const idle = [...this.#threads].find((thread) => !thread.isBusy);
      if (idle !== undefined) return idle.run(job);
      if (this.#threads.size < size) return this.#startThread().run(job);
      if (this.#waiting.length >= maxWaiting)
        return reject(
          new AppError(
            'too_many_requests',
            `${task}: the queue is full (${maxWaiting} requests). Try again later.`,
          ),
        );
      this.#waiting.push(job);
    });
  }

  /** Terminates every thread; requests in progress are rejected with `unavailable`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(stoppingError());
    await Promise.all([...this.#threads].map((thread) => thread.end(stoppingError())));
  }

  #startThread(): Thread<Request, Response> {
    const thread: Thread<Request, Response> = new Thread(this.#options, {
      free: () => {
        const next = this.#waiting.shift();
        if (next !== undefined) thread.run(next);
      },
      gone: () => {
        this.#threads.delete(thread);
        const next = this.#waiting.shift();
        if (next !== undefined) this.#startThread().run(next);
      },
    });
    this.#threads.add(thread);
    return thread;
  }
}

interface Job<Request, Response> {
  readonly request: Request;
  readonly resolve: (response: Response) => void;
  readonly reject: (error: Error) => void;
}

class Thread<Request, Response> {
  readonly #options: DeadlineThreadsOptions;
  readonly #listener: { readonly free: () => void; readonly gone: () => void };
  readonly #worker: Worker;
  #job: Job<Request, Response> | undefined;
  #stopTimer: Dispose = () => {};
  /** CPU time that the thread had used when it started the request, in milliseconds. */
  #cpuMsBefore = 0;
  #isGone = false;

  constructor(options: DeadlineThreadsOptions, listener: { free: () => void; gone: () => void }) {
    this.#options = options;
    this.#listener = listener;
    this.#worker = new Worker(options.program, {
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: options.heapLimitMb },
    });
    this.#worker.unref();
    this.#worker.on('message', (reply: ThreadReply<Response>) => this.#receive(reply));
    this.#worker.on('error', (error) => void this.end(this.#explain(error)));
    this.#worker.on('exit', () => void this.end(new AppError('internal_error', 'The worker thread exited.')));
  }

  get isBusy(): boolean {
    return this.#job !== undefined;
  }

  run(job: Job<Request, Response>): void {
    this.#stopTimer();
    this.#job = job;
    this.#worker.ref();
    this.#startTimer(startTimeoutMs, startTimeoutMs, 0);
    this.#worker.postMessage(job.request);
  }

  /** Terminates the thread at once and rejects the request in progress. */
  async end(reason: Error): Promise<void> {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#stopTimer();
    this.#job?.reject(reason);
    this.#worker.removeAllListeners();
    // An error of a thread that is being terminated has no other listener, and would end the process.
    this.#worker.on('error', () => {});
    this.#listener.gone();
    await this.#worker.terminate();
  }

  #receive(reply: ThreadReply<Response>): void {
    this.#stopTimer();
    if (reply.kind === 'started') {
      this.#cpuMsBefore = reply.cpuMs;
      return this.#startTimer(this.#options.timeoutMs, this.#options.timeoutMs, 10);
    }
    const job = this.#job;
    this.#job = undefined;
    this.#worker.unref();
    if (reply.kind === 'response') job?.resolve(reply.response);
    else job?.reject(toError(reply.error));
    this.#listener.free();
    if (!this.isBusy) this.#startIdleTimer();
  }

  /**
   * @param ms until the next check, of `limitMs` in all
   * @param extensions how often the time is extended while the thread waits for a CPU
   */
  #startTimer(ms: number, limitMs: number, extensions: number): void {
    const { clock, task, remedy } = this.#options;
    let isStopped = false;
    const onDeadline = async (): Promise<void> => {
      const remainingMs = isStopped || extensions === 0 ? 0 : limitMs - (await this.#measureRequest());
      if (isStopped) return;
      if (remainingMs > limitMs / 20)
        return this.#startTimer(Math.max(remainingMs, limitMs / 4), limitMs, extensions - 1);
      await this.end(new DeadlineError(`${task} took longer than ${limitMs / 1000} seconds. ${remedy}`));
    };
    // A reply that arrived while the event loop was busy counts: it is read before this runs.
    const dispose = clock.after(ms, () => clock.soon(() => void onDeadline()));
    this.#stopTimer = () => {
      isStopped = true;
      dispose();
    };
  }

  /**
   * Returns the CPU time of the request, in milliseconds; a thread that does not respond counts as having used all of
   * its time.
   */
  async #measureRequest(): Promise<number> {
    const { clock, timeoutMs } = this.#options;
    let dispose: Dispose = () => {};
    const deadline = new Promise<number>((resolve) => {
      dispose = clock.after(timeoutMs, () => resolve(Infinity));
    });
    const cpuTime = this.#worker.cpuUsage().then(
      (usage) => toMs(usage) - this.#cpuMsBefore,
      () => Infinity,
    );
    return Promise.race([cpuTime, deadline]).finally(dispose);
  }

  #startIdleTimer(): void {
    const { clock, idleMs = 30_000 } = this.#options;
    // Unlike `after`, this does not keep the process alive.
    this.#stopTimer = clock.every(idleMs, () => void this.end(stoppingError()));
  }

  #explain(error: Error): Error {
    const { task, remedy, heapLimitMb } = this.#options;
    if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
      return new DeadlineError(`${task} needed more than ${heapLimitMb} MB of memory. ${remedy}`);
    return new AppError('internal_error', `${task} failed: ${error.message}`, { cause: error });
  }
}

const stoppingError = (): AppError => new AppError('unavailable', 'The engine is stopping.');

const toError = ({ code, message, details }: ErrorBody): AppError =>
  new AppError(code, message, details && { details });
