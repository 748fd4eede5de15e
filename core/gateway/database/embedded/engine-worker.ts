import { Worker } from 'node:worker_threads';
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
