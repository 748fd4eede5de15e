import { connect, type Socket } from 'node:net';
import { DatabaseError, DatabaseUnavailable, type StatementResult } from '../../database.ts';
import type { Engine, EngineTransaction, NoticeListener } from '../engine.ts';
import { readLines, writeLine } from './lines.ts';
import type {
  HelloMessage,
  SharedFailure,
  SharedMessage,
  SharingEndpoint,
  SharedRequest,
} from './shared-messages.ts';

type DoneMessage = Extract<SharedMessage, { kind: 'done' }>;
type WithoutId<Request> = Request extends unknown ? Omit<Request, 'id'> : never;

interface Pending {
  readonly resolve: (done: DoneMessage) => void;
  readonly reject: (reason: Error) => void;
  readonly keeps?: EngineTransaction['keeps'] | undefined;
}

/** The engine of another process of the same user. Keeps this process alive only during a request. */
export class SharedEngine implements Engine {
  readonly #socket: Socket;
  readonly #pending = new Map<number, Pending>();
  readonly #listeners = new Map<string, Set<NoticeListener>>();
  readonly version: string;
  #lastId = 0;
  #isOpen = true;

  private constructor(socket: Socket, version: string, onLoss: () => void) {
    this.#socket = socket;
    this.version = version;
    socket.on('close', () => {
      this.#isOpen = false;
      const lost = new DatabaseUnavailable(
        'The process that had the embedded database open ended before it responded.',
        'lost',
      );
      for (const { reject } of this.#pending.values()) reject(lost);
      this.#pending.clear();
      onLoss();
    });
  }

  /**
   * @param onLoss called when the other process ends
   * @returns undefined if the process does not respond or fails to authenticate
   */
  static open(
    { port, token }: SharingEndpoint,
    onLoss: (engine: SharedEngine) => void,
  ): Promise<SharedEngine | undefined> {
    return new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.setNoDelay(true);
      let engine: SharedEngine | undefined;
      socket.on('error', () => socket.destroy());
      socket.on('close', () => resolve(undefined));
      readLines(socket, (value) => {
        const message = value as SharedMessage;
        if (engine !== undefined) return engine.#onMessage(message);
        if (message.kind !== 'welcome') return void socket.destroy();
        const opened: SharedEngine = new SharedEngine(socket, message.version, () => onLoss(opened));
        engine = opened;
        socket.unref();
        resolve(opened);
      });
      socket.once('connect', () => writeLine(socket, { token } satisfies HelloMessage));
    });
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  async transact({ keeps, signal, ...transaction }: EngineTransaction): Promise<readonly StatementResult[]> {
    const asks = keeps !== undefined;
    return (await this.#ask({ kind: 'transact', transaction, asks }, { keeps, signal })).results;
  }

  async runScript(sql: string, signal?: AbortSignal): Promise<readonly StatementResult[]> {
    return (await this.#ask({ kind: 'script', sql }, { signal })).results;
  }

  async listen(channel: string, onNotice: NoticeListener): Promise<() => Promise<void>> {
    const listeners = this.#listeners.get(channel) ?? new Set();
    listeners.add(onNotice);
    this.#listeners.set(channel, listeners);
    await this.#ask({ kind: 'listen', channel });
    return async () => {
      listeners.delete(onNotice);
      if (listeners.size > 0 || !this.#listeners.delete(channel) || !this.#isOpen) return;
      await this.#ask({ kind: 'unlisten', channel });
    };
  }

  async dump(): Promise<Uint8Array> {
    return Buffer.from((await this.#ask({ kind: 'dump' })).bytes ?? '', 'base64');
  }

  close(): Promise<void> {
    this.#isOpen = false;
    this.#socket.end();
    return Promise.resolve();
  }

  #ask(
    request: WithoutId<SharedRequest>,
    { keeps, signal }: Pick<EngineTransaction, 'keeps'> & { signal?: AbortSignal | undefined } = {},
  ): Promise<DoneMessage> {
    if (!this.#isOpen) return Promise.reject(new DatabaseUnavailable('The connection is closed.', 'lost'));
    const id = (this.#lastId += 1);
    const cancel = (): void => this.#send({ id, kind: 'cancel' });
    return new Promise<DoneMessage>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, keeps });
      this.#socket.ref();
      this.#send({ ...request, id });
      if (signal?.aborted === true) cancel();
      signal?.addEventListener('abort', cancel, { once: true });
    }).finally(() => {
      signal?.removeEventListener('abort', cancel);
      this.#pending.delete(id);
      if (this.#pending.size === 0) this.#socket.unref();
    });
  }

  #send(request: SharedRequest): void {
    writeLine(this.#socket, request);
  }

  #onMessage(message: SharedMessage): void {
    if (message.kind === 'welcome') return;
    if (message.kind === 'notice') {
      for (const onNotice of this.#listeners.get(message.channel) ?? []) onNotice(message.payload);
      return;
    }
    const pending = this.#pending.get(message.id);
    if (pending === undefined) return;
    if (message.kind === 'done') pending.resolve(message);
    else if (message.kind === 'failed') pending.reject(toError(message.failure));
    else void this.#decide(message.id, message.results, pending);
  }

  async #decide(id: number, results: readonly StatementResult[], pending: Pending): Promise<void> {
    try {
      this.#send({ id, kind: 'decide', keeps: (await pending.keeps?.(results)) ?? false });
    } catch (error) {
      this.#send({ id, kind: 'decide', keeps: false });
      pending.reject(error as Error);
    }
  }
}

const toError = (failure: SharedFailure): Error =>
  failure.kind === 'database'
    ? new DatabaseError(failure.message, failure)
    : new DatabaseUnavailable(failure.message, failure.reason);
