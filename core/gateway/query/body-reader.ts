import { Worker } from 'node:worker_threads';
import type { Clock } from '../../base/clock.ts';
import { GatewayError } from '../gateway-error.ts';
import type { Body, CallBody } from './query.ts';
import type { BodyResult, BodyJob } from './body-thread.ts';
import { readBody, readCallBody } from './read-body.ts';
import { bodyError } from './json-shape.ts';

/** Returns the thread's source file, or its build next to the engine bundle. */
const threadUrl = (): URL =>
  import.meta.url.endsWith('.ts')
    ? new URL('./body-thread.ts', import.meta.url)
    : new URL('../gateway-body/thread.cjs', import.meta.url);

/** Any body up to this size is parsed in less than 100 ms. The slowest is CSV with many cells. */
const MAX_INLINE_BYTES = 64 * 1024;
/** Above this size, the thread's heap is too large to reuse. */
const MAX_REUSED_BYTES = 1024 * 1024;
const MAX_THREADS = 2;
const MAX_HEAP_MB = 1024;
const DEFAULT_TIMEOUT_MS = 30_000;

type Bytes = Omit<BodyJob, 'kind'>;

/** Parses bodies, large ones in a thread with time and memory limits, so that other requests are not blocked. */
export class BodyReader {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #idle: Worker[] = [];
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** @param timeoutMs timeout per body; 0 for the default of 30 s */
  constructor(clock: Clock, timeoutMs: number) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs > 0 ? timeoutMs : DEFAULT_TIMEOUT_MS;
  }

  /** Implements `readBody`. */
  async readBody(job: Bytes): Promise<Body> {
    const { bytes, contentType, columns } = job;
    if (bytes.length <= MAX_INLINE_BYTES) return readBody(bytes, contentType, columns);
    const result = await this.#readInThread({ kind: 'write', ...job });
    if (result.kind !== 'write') throw toBodyError(result);
    return result.body;
  }

  /** Implements `readCallBody`. */
  async readCallBody(job: Bytes): Promise<CallBody> {
    const { bytes, contentType, columns } = job;
    if (bytes.length <= MAX_INLINE_BYTES) return readCallBody(bytes, contentType, columns);
    const result = await this.#readInThread({ kind: 'call', ...job });
    if (result.kind !== 'call') throw toBodyError(result);
    const { body, isWhole } = result;
    return isWhole && body.object ? { ...body, object: { ...body.object, json: body.text } } : body;
  }

  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((worker) => worker.terminate()));
  }

  async #readInThread(job: BodyJob): Promise<BodyResult> {
    while (this.#running >= MAX_THREADS)
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    this.#running += 1;
    const worker = this.#idle.pop() ?? startThread();
    try {
      const result = await this.#ask(worker, job);
      if (job.bytes.length <= MAX_REUSED_BYTES) this.#idle.push(worker);
      else void worker.terminate();
      return result;
    } catch (error) {
      void worker.terminate();
      throw error;
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  async #ask(worker: Worker, job: BodyJob): Promise<BodyResult> {
    const { promise, resolve, reject } = Promise.withResolvers<BodyResult>();
    const stopTimer = this.#clock.after(this.#timeoutMs, () => {
      const message = `Parsing the body took more than ${this.#timeoutMs / 1000} s`;
      reject(bodyError(message, undefined, 'Send fewer rows, or raise gateway.statementTimeout.'));
    });
    const fail = (error: Error): void =>
      reject(
        (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? bodyError(`Parsing the body requires more than ${MAX_HEAP_MB} MiB`, undefined, 'Send fewer rows.')
          : error,
      );
    worker.on('message', resolve);
    worker.on('error', fail);
    worker.ref();
    worker.postMessage(job);
    try {
      return await promise;
    } finally {
      stopTimer();
      worker.off('message', resolve);
      worker.off('error', fail);
      worker.unref();
    }
  }
}

function startThread(): Worker {
  const worker = new Worker(threadUrl(), {
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  // Errors of a terminated thread are irrelevant. Without a listener they would end the engine.
  worker.on('error', () => {});
  return worker;
}

function toBodyError(result: BodyResult): Error {
  if (result.kind !== 'refused') return new Error('Invalid response from the body parser thread');
  const { status, code, message, details, hint } = result.refusal;
  return new GatewayError(status, code, message, { details, hint });
}
