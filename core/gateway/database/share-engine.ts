import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type AddressInfo, type Server, type Socket, connect } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import { getErrorMessage } from '../../base/errors.ts';
import { DatabaseError, DatabaseUnavailable, type StatementResult } from '../../store/sql/database.ts';
import type { Engine, EngineTransaction, NoticeListener } from './engine-worker.ts';
import {
  readLines,
  writeLine,
  type SharedFailure,
  type SharedMessage,
  type SharedRequest,
  removeSharingEndpoint,
  writeSharingEndpoint,
  type HelloMessage,
  type SharingEndpoint,
} from './shared-protocol.ts';

/** Limit for a greeting, so that unauthenticated clients cannot fill the memory. */
const maxGreetingUnits = 500;
/** Maximum time for a process to decide about a commit. */
const maxThinkMs = 10_000;

/** Shares the engine of this process with other processes of the same user. */
export class EngineSharing {
  readonly #engine: Engine;
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #token = randomBytes(32).toString('base64url');
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;

  private constructor(engine: Engine, folder: string, clock: Clock) {
    this.#engine = engine;
    this.#folder = folder;
    this.#clock = clock;
    this.#server = createServer((socket) => this.#onConnection(socket));
    this.#server.unref();
  }

  /** @param folder directory in which other processes look for the address */
  static async begin(engine: Engine, folder: string, clock: Clock): Promise<EngineSharing> {
    const sharing = new EngineSharing(engine, folder, clock);
    const server = sharing.#server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    writeSharingEndpoint(folder, { port, token: sharing.#token, pid: process.pid });
    return sharing;
  }

  /** Accepts no new connections. */
  stopAccepting(): void {
    removeSharingEndpoint(this.#folder);
  }

  /** Closes the server. All requests must have finished. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of this.#sockets) socket.end();
    // Do not wait for connections that stay open.
    for (const socket of this.#sockets) socket.destroySoon();
    await closed;
  }

  #onConnection(socket: Socket): void {
    socket.unref();
    socket.setNoDelay(true);
    this.#sockets.add(socket);
    let client: SharingClient | undefined;
    const read = (value: unknown): void => {
      if (client !== undefined) return client.onRequest(value as SharedRequest);
      if (!isToken((value as { readonly token?: unknown }).token, this.#token)) return void socket.destroy();
      client = new SharingClient(this.#engine, this.#clock, (message) => void writeLine(socket, message));
      writeLine(socket, { kind: 'welcome', version: this.#engine.version ?? '' } satisfies SharedMessage);
    };
    readLines(socket, read, () => (client === undefined ? maxGreetingUnits : Number.POSITIVE_INFINITY));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.#sockets.delete(socket);
      client?.leave();
    });
  }
}

function isToken(candidate: unknown, token: string): boolean {
  const [a, b] = [Buffer.from(typeof candidate === 'string' ? candidate : ''), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** A process that uses the engine. */
class SharingClient {
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #notify: (message: SharedMessage) => void;
  readonly #inProgress = new Map<number, AbortController>();
  readonly #pendingDecisions = new Map<number, (keeps: boolean) => void>();
  readonly #channels = new Map<string, Promise<() => Promise<void>>>();
  #isGone = false;

  constructor(engine: Engine, clock: Clock, notify: (message: SharedMessage) => void) {
    this.#engine = engine;
    this.#clock = clock;
    this.#notify = (message) => {
      if (!this.#isGone) notify(message);
    };
  }

  onRequest(request: SharedRequest): void {
    const { id } = request;
    if (request.kind === 'decide') return this.#pendingDecisions.get(id)?.(request.keeps);
    if (request.kind === 'cancel') return this.#inProgress.get(id)?.abort();
    const ending = new AbortController();
    this.#inProgress.set(id, ending);
    this.#execute(request, ending.signal)
      .then(
        (response) => this.#notify({ kind: 'done', id, ...response }),
        (error: unknown) => this.#notify({ kind: 'failed', id, failure: toFailure(error) }),
      )
      .finally(() => this.#inProgress.delete(id))
      .catch(() => undefined);
  }

  /** Cancels its requests and rolls back transactions that await its decision. */
  leave(): void {
    this.#isGone = true;
    for (const ending of this.#inProgress.values()) ending.abort();
    for (const decide of this.#pendingDecisions.values()) decide(false);
    for (const channel of this.#channels.values()) channel.then((stop) => stop()).catch(() => undefined);
  }

  async #execute(
    request: SharedRequest,
    signal: AbortSignal,
  ): Promise<{ results: readonly StatementResult[]; bytes?: string }> {
    switch (request.kind) {
      case 'transact': {
        const { id, transaction, asks } = request;
        const keeps = (results: readonly StatementResult[]): Promise<boolean> => this.#ask(id, results);
        return { results: await this.#engine.transact({ ...transaction, signal, ...(asks && { keeps }) }) };
      }
      case 'script':
        return { results: await this.#engine.runScript(request.sql, signal) };
      case 'listen':
        await this.#listen(request.channel);
        return { results: [] };
      case 'unlisten': {
        const stop = this.#channels.get(request.channel);
        this.#channels.delete(request.channel);
        await (
          await stop
        )?.();
        return { results: [] };
      }
      case 'dump':
        return { results: [], bytes: Buffer.from(await this.#engine.dump()).toString('base64') };
      case 'decide':
      case 'cancel':
        return { results: [] };
    }
  }

  #ask(id: number, results: readonly StatementResult[]): Promise<boolean> {
    if (this.#isGone) return Promise.resolve(false);
    this.#notify({ kind: 'asking', id, results });
    return new Promise<boolean>((resolve) => {
      // All other requests wait during this time.
      const stopWaiting = this.#clock.after(maxThinkMs, () => resolve(false));
      this.#pendingDecisions.set(id, (keeps) => {
        stopWaiting();
        resolve(keeps);
      });
    }).finally(() => this.#pendingDecisions.delete(id));
  }

  async #listen(channel: string): Promise<void> {
    const listening =
      this.#channels.get(channel) ??
      this.#engine.listen(channel, (payload) => this.#notify({ kind: 'notice', channel, payload }));
    this.#channels.set(channel, listening);
    await listening;
  }
}

function toFailure(error: unknown): SharedFailure {
  if (error instanceof DatabaseError) {
    const { message, code, detail, hint, position } = error;
    return { kind: 'database', message, code, detail, hint, position };
  }
  const reason = error instanceof DatabaseUnavailable ? error.reason : 'lost';
  return { kind: 'unavailable', message: getErrorMessage(error), reason };
}

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
