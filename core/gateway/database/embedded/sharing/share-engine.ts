import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Clock } from '../../../../base/clock.ts';
import { messageOf } from '../../../../base/errors.ts';
import { DatabaseError, DatabaseUnavailable, type StatementResult } from '../../database.ts';
import type { Engine } from '../engine.ts';
import { readLines, writeLine } from './lines.ts';
import type { SharedFailure, SharedMessage, SharedRequest } from './shared-messages.ts';
import { removeSharingEndpoint, writeSharingEndpoint } from './shared-place.ts';

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
        (error: unknown) => this.#notify({ kind: 'failed', id, failure: describe(error) }),
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

function describe(error: unknown): SharedFailure {
  if (error instanceof DatabaseError) {
    const { message, code, detail, hint, position } = error;
    return { kind: 'database', message, code, detail, hint, position };
  }
  const reason = error instanceof DatabaseUnavailable ? error.reason : 'lost';
  return { kind: 'unavailable', message: messageOf(error), reason };
}
