import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type {
  SessionFailure,
  SessionReply,
  SessionRequest,
  SessionResult,
  SessionSettings,
} from './messages.ts';

/** Returns the URL of the source file, or of the built file next to the folder of the engine's bundle. */
const threadUrl = (): URL =>
  import.meta.url.endsWith('.ts')
    ? new URL('./session-thread.ts', import.meta.url)
    : new URL('../session/thread.cjs', import.meta.url);

/** Error of a database on a server. */
export class PostgresFailure extends Error {
  override readonly name = 'PostgresFailure';
  readonly failure: SessionFailure;
  /** Whether a commit was running, whose outcome is unknown. */
  readonly isCommit: boolean;

  constructor(failure: SessionFailure, isCommit = false) {
    super(failure.message);
    this.failure = failure;
    this.isCommit = isCommit;
  }
}

interface Thread {
  readonly worker: Worker;
  readonly port: MessagePort;
}

/** The caller of a request. */
interface Waiter {
  resolve(results: readonly SessionResult[]): void;
  reject(error: PostgresFailure): void;
}

/** The thread of the connections. Keeps the process alive only while a promise is pending. */
export class ThreadConnection {
  readonly #settings: SessionSettings;
  readonly #changes: Int32Array;
  readonly #waiters = new Map<number, Waiter>();
  #thread: Thread | undefined;
  #lastId = 0;
  #isClosed = false;
  #isListening = false;

  constructor(settings: Omit<SessionSettings, 'changes'>) {
    const changes = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    this.#settings = { ...settings, changes };
    this.#changes = new Int32Array(changes);
  }

  /** Incremented with each commit of another connection, and when one may have been missed. */
  get changes(): number {
    if (!this.#isListening && !this.#isClosed) {
      this.#open().port.postMessage('listen');
      this.#isListening = true;
    }
    return Atomics.load(this.#changes, 0);
  }

  /**
   * Sends a request.
   * @returns the result of each step
   * @throws PostgresFailure of the first step that failed
   */
  request(request: Omit<SessionRequest, 'id'>): Promise<readonly SessionResult[]> {
    return new Promise((resolve, reject) => {
      const { port } = this.#open();
      const id = ++this.#lastId;
      this.#waiters.set(id, { resolve, reject });
      if (this.#waiters.size === 1) port.ref();
      port.postMessage({ ...request, id } satisfies SessionRequest);
    });
  }

  close(): void {
    this.#isClosed = true;
    const thread = this.#thread;
    this.#thread = undefined;
    thread?.port.postMessage('close');
    thread?.port.unref();
    this.#failWaiters('the connection was closed');
  }

  #open(): Thread {
    if (this.#isClosed) throw new Error('The connection to the database is closed');
    return (this.#thread ??= this.#start());
  }

  #settle(port: MessagePort, reply: SessionReply): void {
    const waiter = this.#waiters.get(reply.id);
    this.#waiters.delete(reply.id);
    if (this.#waiters.size === 0) port.unref();
    if ('failure' in reply) waiter?.reject(new PostgresFailure(reply.failure));
    else waiter?.resolve(reply.results);
  }

  #failWaiters(message: string): void {
    const waiters = [...this.#waiters.values()];
    this.#waiters.clear();
    for (const { reject } of waiters) reject(new PostgresFailure({ kind: 'lost', code: '', message }));
  }

  #start(): Thread {
    const { port1: port, port2 } = new MessageChannel();
    const worker = new Worker(threadUrl(), {
      workerData: { ...this.#settings, port: port2 },
      transferList: [port2],
      execArgv: [],
    });
    worker.unref();
    port.on('message', (reply: SessionReply) => this.#settle(port, reply));
    port.unref();
    worker.on('error', () => {
      if (this.#thread?.worker === worker) this.#abandon();
    });
    return { worker, port };
  }

  #abandon(): void {
    const thread = this.#thread;
    this.#thread = undefined;
    this.#isListening = false;
    void thread?.worker.terminate();
    this.#failWaiters('the database thread has ended');
    Atomics.add(this.#changes, 0, 1);
  }
}
