import { Worker } from 'node:worker_threads';
import {
  type Statement,
  type StatementResult,
  type Transaction,
  DatabaseUnavailable,
} from '../../store/sql/database.ts';
import type { Clock } from '../../base/clock.ts';
import type { ThreadMessage, ThreadRequest } from './batch.ts';

/** Stack size of the engine's WebAssembly. With less, deep recursion ends the engine silently (`gateway.md` 3, 1). */
const stackSizeMb = 64;

/** Returns the thread's source file, or its build next to the engine bundle. */
const threadUrl = (): URL =>
  import.meta.url.endsWith('.ts')
    ? new URL('./engine-thread.ts', import.meta.url)
    : new URL('../database/thread.cjs', import.meta.url);

/** The thread has ended or failed to start. */
export class EngineLost extends Error {
  override readonly name = 'EngineLost';
}

type Answer = Exclude<ThreadMessage, { kind: 'notice' }>;

/** A thread that runs PostgreSQL. It keeps the process alive only during a request. */
export class EngineWorker {
  readonly #worker: Worker;
  readonly #onNotice: (channel: string, payload: string) => void;
  #settle: { resolve: (response: Answer) => void; reject: (reason: Error) => void } | undefined;
  #lostReason: string | undefined;

  constructor(onNotice: (channel: string, payload: string) => void) {
    this.#onNotice = onNotice;
    this.#worker = new Worker(threadUrl(), {
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { stackSizeMb },
    });
    this.#worker.unref();
    this.#worker.on('message', (message: ThreadMessage) => this.#receive(message));
    this.#worker.on('error', (error) => this.#onLost(error.message));
    this.#worker.on('exit', () => this.#onLost('the worker thread ended'));
  }

  /** Whether the thread has ended. */
  get isGone(): boolean {
    return this.#lostReason !== undefined;
  }

  /**
   * Sends a request to the thread, one at a time.
   * @throws EngineLost if the thread ends or the request fails
   */
  ask<Kind extends Answer['kind']>(
    request: ThreadRequest,
    kind: Kind,
  ): Promise<Extract<Answer, { kind: Kind }>> {
    return new Promise((resolve, reject) => {
      if (this.#lostReason !== undefined) return reject(new EngineLost(this.#lostReason));
      this.#settle = {
        resolve: (response) => {
          if (response.kind === kind) resolve(response as Extract<Answer, { kind: Kind }>);
          else reject(new EngineLost(response.kind === 'fault' ? response.reason : 'invalid response'));
        },
        reject,
      };
      this.#worker.ref();
      this.#worker.postMessage(request);
    });
  }

  /** Terminates the thread immediately. Resolves when it has ended. */
  async end(reason: string): Promise<void> {
    this.#onLost(reason);
    await this.#worker.terminate();
  }

  #receive(message: ThreadMessage): void {
    if (message.kind === 'notice') return this.#onNotice(message.channel, message.payload);
    const settle = this.#settle;
    this.#settle = undefined;
    this.#worker.unref();
    settle?.resolve(message);
  }

  #onLost(reason: string): void {
    this.#lostReason ??= reason;
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.reject(new EngineLost(this.#lostReason));
  }
}

/** A transaction whose commit decision may come from another process. */
export interface EngineTransaction extends Omit<Transaction, 'keeps' | 'settings'> {
  readonly statements: readonly Statement[];
  readonly keeps?: (results: readonly StatementResult[]) => boolean | Promise<boolean>;
}

export type NoticeListener = (payload: string | undefined) => void;

/** The embedded database: in a thread of this process, or shared by another process. */
export interface Engine {
  /** False if the engine has ended or is unreachable. */
  readonly isOpen: boolean;
  /** Known once the engine has been opened. */
  readonly version: string | undefined;
  /** Implements the method of `GatewayDatabase`, like the next ones. */
  transact(transaction: EngineTransaction): Promise<readonly StatementResult[]>;
  runScript(sql: string, signal?: AbortSignal): Promise<readonly StatementResult[]>;
  listen(channel: string, onNotice: NoticeListener): Promise<() => Promise<void>>;
  /** Returns the data directory as a gzipped tar file. */
  dump(): Promise<Uint8Array>;
  /** Shuts down after the current request. */
  close(): Promise<void>;
}

/** A mutex with a queue in order of arrival. */
export class Mutex {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #waiting: { readonly begin: () => void }[] = [];
  #isLocked = false;

  /** @param timeoutMs maximum waiting time */
  constructor(clock: Clock, timeoutMs: number) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Runs work exclusively.
   * @throws DatabaseUnavailable `busy` after the maximum waiting time
   */
  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#isLocked) await this.#wait();
    this.#isLocked = true;
    try {
      return await work();
    } finally {
      this.#isLocked = false;
      this.#waiting.shift()?.begin();
    }
  }

  #wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const turn = {
        begin: () => {
          stopWaiting();
          // Prevents a new caller from entering before the next in the queue.
          this.#isLocked = true;
          resolve();
        },
      };
      const stopWaiting = this.#clock.after(this.#timeoutMs, () => {
        this.#waiting.splice(this.#waiting.indexOf(turn), 1);
        const seconds = this.#timeoutMs / 1000;
        reject(new DatabaseUnavailable(`The database was busy for ${seconds} s. Try again later.`, 'busy'));
      });
      this.#waiting.push(turn);
    });
  }
}
