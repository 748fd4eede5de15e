import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent, request, type AgentOptions } from 'node:https';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { FileStore } from '../../core/distributed/files/file-store.ts';
import {
  startCoordinator,
  type CoordinatorOptions,
  type RunningCoordinator,
} from '../../core/distributed/coordinator/coordinator.ts';
import type { CoordinatorTls } from '../../core/distributed/coordinator/coordinator-tls.ts';
import type { DispatchStore, NewTask } from '../../core/store/types/dispatch.ts';
import { protocolRoot, type JoinResponse, type JoinRequest } from '../../core/distributed/protocol.ts';
import { openDispatch } from '../../core/distributed/store/open-dispatch.ts';
import { TestAuthority, type IssuedCertificate } from './servers/certificates.ts';
import { FakeClock, RecordingLogger } from './fakes.ts';
import { until, makeTemporaryFolder } from './resources.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- what a server says
  readonly body: any;
}

export interface TestRequestOptions {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly agent?: Agent | PlainAgent;
  readonly signal?: AbortSignal;
}

/** One request over a real connection. */
export function ask(
  url: string,
  { method = 'POST', body, headers, agent, signal }: TestRequestOptions = {},
): Promise<Answer> {
  const bytes = body instanceof Uint8Array ? body : body === undefined ? undefined : JSON.stringify(body);
  const type = body instanceof Uint8Array ? 'application/octet-stream' : 'application/json';
  return new Promise((resolve, reject) => {
    const send = url.startsWith('https') ? request : plainRequest;
    const sent = send(
      url,
      {
        method,
        agent,
        ...(signal && { signal }),
        headers: { ...(bytes !== undefined && { 'content-type': type }), ...headers },
      },
      (incoming) => {
        text(incoming).then(
          (said) =>
            resolve({
              status: incoming.statusCode ?? 0,
              headers: incoming.headers,
              text: said,
              body: incoming.headers['content-type']?.startsWith('application/json')
                ? JSON.parse(said)
                : undefined,
            }),
          reject,
        );
      },
    );
    sent.on('error', reject);
    sent.end(bytes);
  });
}

/** Certificates of a coordinator and its workers, in files. */
export class TestCertificates {
  readonly authority = new TestAuthority();
  readonly folder = makeTemporaryFolder();
  readonly files: CoordinatorTls;

  readonly #address: string | undefined;

  /**
   * @param withClients whether workers need certificates
   * @param address IPv4, of the coordinator in addition to 127.0.0.1
   */
  constructor({
    withClients = true,
    withRevocations = false,
    address,
  }: { withClients?: boolean; withRevocations?: boolean; address?: string } = {}) {
    this.#address = address;
    const folderPath = (name: string): string => path.join(this.folder, name);
    this.files = {
      certFile: folderPath('server.crt'),
      keyFile: folderPath('server.key'),
      ...(withClients && { clientCaFile: folderPath('clients.crt') }),
      ...(withRevocations && { crlFile: folderPath('revoked.crl') }),
    };
    this.writeServer();
    writeFileSync(folderPath('clients.crt'), this.authority.cert);
    this.writeRevoked([]);
  }

  writeServer(name = 'coordinator'): void {
    const { cert, key } = this.authority.issue({
      name,
      ...(this.#address !== undefined && { address: this.#address }),
    });
    writeFileSync(this.files.certFile, cert);
    writeFileSync(this.files.keyFile, key);
  }

  writeRevoked(certificates: readonly IssuedCertificate[], validity = {}): void {
    writeFileSync(path.join(this.folder, 'revoked.crl'), this.authority.revoke(certificates, validity));
  }

  /** Connections like those of a worker: kept alive. */
  agent(certificate?: { readonly cert: string; readonly key: string }, options: AgentOptions = {}): Agent {
    const tlsOptions = certificate && { cert: certificate.cert, key: certificate.key };
    return new Agent({ keepAlive: true, ca: this.authority.cert, ...tlsOptions, ...options });
  }
}

/** The test controls the time, except for the few milliseconds in which a coordinator collects a batch. */
class HarnessClock extends FakeClock {
  override after(delayMs: number, callback: () => void): () => void {
    if (delayMs > 10) return super.after(delayMs, callback);
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  }
}

/** A coordinator over a real in-memory database, on a free loopback port. */
export class CoordinatorHarness implements AsyncDisposable {
  readonly clock: FakeClock;
  readonly store: DispatchStore;
  readonly folder = makeTemporaryFolder();
  readonly lines = new RecordingLogger();
  readonly running: RunningCoordinator[] = [];
  #held: { promise: Promise<void>; isReached: boolean } | undefined;
  #tasks = 0;
  #problem: Error | undefined;

  /** Number of calls of each store operation. */
  readonly calls = new Map<string, number>();

  private constructor(store: DispatchStore | undefined, clock: FakeClock) {
    this.clock = clock;
    const opened = store ?? openDispatch({ file: ':memory:' }, this.clock);
    this.store = watch({ ...opened, claim: (requests) => this.#claim(opened, requests) }, (name) => {
      this.calls.set(name, (this.calls.get(name) ?? 0) + 1);
      if (this.#problem !== undefined && name !== 'close') throw this.#problem;
    });
  }

  static async open(
    options: Partial<CoordinatorOptions> & { readonly now?: number } = {},
  ): Promise<CoordinatorHarness & { readonly first: RunningCoordinator }> {
    const harness = new CoordinatorHarness(options.store, new HarnessClock(options.now ?? Date.now()));
    const first = await harness.start(options);
    return Object.assign(harness, { first });
  }

  /** Starts one more coordinator over the same database. */
  async start(options: Partial<CoordinatorOptions> = {}): Promise<RunningCoordinator> {
    const running = await startCoordinator({
      store: this.store,
      files: new FileStore(),
      host: '127.0.0.1',
      port: 0,
      version: '9.9.9',
      clock: this.clock,
      logger: this.lines,
      ...options,
    });
    this.running.push(running);
    return running;
  }

  /** Lets seconds pass one by one, so that the coordinator's work of each second is done. */
  async pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      const before = this.calls.get('reap') ?? 0;
      this.clock.advance(1000);
      await until(() => (this.calls.get('reap') ?? 0) > before);
      // Follow-up work of the database poll happens in the same tick.
      await new Promise((resolve) => setTimeout(resolve));
    }
  }

  /** The next claim reaches the coordinator only when the returned function is called. */
  holdNextClaim(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held = { promise, isReached: false };
    return resolve;
  }

  isHeld(): boolean {
    return this.#held?.isReached === true;
  }

  async #claim(
    store: DispatchStore,
    requests: Parameters<DispatchStore['claim']>[0],
  ): ReturnType<DispatchStore['claim']> {
    const claimed = await store.claim(requests);
    const held = this.#held;
    if (held === undefined || claimed.size === 0) return claimed;
    held.isReached = true;
    await held.promise;
    this.#held = undefined;
    return claimed;
  }

  /** Adds a join token; returns its text. */
  async token(
    id = 'token-1',
    more: { labels?: Record<string, string>; expiresAt?: number } = {},
  ): Promise<string> {
    const secret = `swj_${id}`;
    const sha256 = createHash('sha256').update(secret).digest('hex');
    await this.store.addJoinToken({ id, sha256, note: 'for tests', labels: {}, ...more });
    return secret;
  }

  /** Makes the database unavailable or available again. */
  fail(problem: Error | undefined): void {
    this.#problem = problem;
  }

  async join(id: string, secret: string): Promise<Caller> {
    const caller = new Caller(this.running[0]!.url, id);
    await caller.join({}, secret);
    return caller;
  }

  /** Joins by a token and stores what is needed to continue. */
  async worker(id = 'w1', hello: Partial<JoinRequest> = {}): Promise<Caller> {
    const secret = await this.token(`of-${id}`);
    const caller = new Caller(this.running.at(-1)!.url, id);
    await caller.join(hello, secret);
    return caller;
  }

  /** Offers tasks with directories as hosts create them. */
  async offer(count = 1, more: Partial<NewTask> = {}): Promise<NewTask[]> {
    const tasks = Array.from({ length: count }, (): NewTask => {
      const number = (this.#tasks += 1);
      const run = { name: 'etl', dagRunId: 'run-1' };
      const folderPath = path.join(this.folder, 'logs/etl/20260101T000000Z_run-1', `load.${number}`);
      mkdirSync(folderPath, { recursive: true });
      return {
        key: `1.step.load.${number}`,
        runKey: 1,
        run,
        step: 'load',
        selector: {},
        priority: 0,
        payload: JSON.stringify({ number }),
        attemptDir: folderPath,
        ...more,
      };
    });
    await this.store.offer(tasks);
    return tasks;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const running of this.running) {
      await running.close();
    }
    await this.store.close();
  }
}

/** Reports calls of a store's operations; if `told` throws, they reject with that error. */
function watch(store: DispatchStore, onCall: (name: string) => void): DispatchStore {
  return new Proxy(store, {
    get(target, name: keyof DispatchStore) {
      const operation = target[name] as (...values: unknown[]) => unknown;
      if (name === 'onWake') return operation;
      return async (...values: unknown[]): Promise<unknown> => {
        onCall(name);
        return await operation.apply(target, values);
      };
    },
  });
}

export const hello: JoinRequest = {
  protocol: 1,
  id: 'w1',
  labels: { gpu: 'true' },
  slots: 4,
  version: '9.9.9',
  host: 'rack-1',
  pid: 42,
  keeps: [],
};

/** The worker's side of the protocol, in its simplest form. */
export class Caller {
  url: string;
  readonly id: string;
  key: string | undefined;
  epoch = 0;
  agent: Agent | PlainAgent;

  constructor(url: string, id: string, agent?: Agent) {
    this.url = url;
    this.id = id;
    this.agent = agent ?? new PlainAgent({ keepAlive: true, maxSockets: 64 });
  }

  /** Joins; stores key and epoch. */
  async join(more: Partial<JoinRequest> = {}, secret: string | undefined = this.key): Promise<Answer> {
    const headers: Record<string, string> = secret === undefined ? {} : { authorization: `Bearer ${secret}` };
    const body = { ...hello, id: this.id, ...more };
    const answer = await ask(`${this.url}${protocolRoot}/join`, { body, headers, agent: this.agent });
    const { key, epoch } = (answer.body ?? {}) as Partial<JoinResponse>;
    this.key = key ?? this.key;
    this.epoch = epoch ?? this.epoch;
    return answer;
  }

  get headers(): Record<string, string> {
    return {
      'x-worker-id': this.id,
      'x-worker-epoch': String(this.epoch),
      ...(this.key === undefined ? {} : { authorization: `Bearer ${this.key}` }),
    };
  }

  post(path_: string, body: unknown = {}, more: TestRequestOptions = {}): Promise<Answer> {
    return this.send(path_, { body, ...more });
  }

  send(path_: string, { headers, ...more }: TestRequestOptions): Promise<Answer> {
    const url = `${this.url}${protocolRoot}${path_}`;
    return ask(url, { agent: this.agent, ...more, headers: { ...this.headers, ...headers } });
  }

  claim(free = 1, waitMs = 0, more: TestRequestOptions = {}): Promise<Answer> {
    return this.post('/claim', { free, waitMs }, more);
  }

  /** Claims one task and confirms it. */
  async take(): Promise<{ readonly key: string; readonly fence: number }> {
    const { body } = await this.claim();
    const { key, fence } = body.tasks[0];
    await this.post('/begin', { holds: [{ key, fence }] });
    return { key, fence };
  }
}

export const taskPath = ({ key, fence }: { readonly key: string; readonly fence: number }): string =>
  `/tasks/${encodeURIComponent(key)}/${fence}`;
