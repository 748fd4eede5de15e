import { checkCalls } from '../../core/api/create-api.ts';
import { request as startRequest } from 'node:http';
import { connect } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type RunningServer,
  type ServerOptions,
  startServer,
  readServerSettings,
} from '../../core/http/server.ts';
import type { Caller, EngineApi } from '../../core/api/engine-api.ts';
import type { Dispose } from '../../core/base/clock.ts';
import type { AppError, ErrorBody } from '../../core/base/errors.ts';
import type { StreamObserver } from '../../core/contract/transport.ts';
import type {
  OperationInput,
  OperationName,
  OperationOutput,
  StreamInput,
  StreamItem,
  StreamName,
} from '../../core/contract/operations.ts';
import type { Auth } from '../../core/api/auth/auth.ts';
import type { Role } from '../../core/contract/operation.ts';
import { FakeClock, silentLogger } from './fakes.ts';
import { TestEngine } from './engine.ts';
import { onTestCleanup } from './resources.ts';
import { makeEngineHome } from './empty-database.ts';

/** A real server on a free loopback port over a fake engine; closed by `await using`. */
export interface ServedApi extends AsyncDisposable {
  readonly server: RunningServer;
  readonly api: FakeApi;
  readonly clock: FakeClock;
  readonly port: number;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  post(path: string, body?: unknown): Promise<Response>;
}

export async function serve(options: Partial<ServerOptions> = {}): Promise<ServedApi> {
  const api = new FakeApi();
  const clock = new FakeClock();
  const server = await startServer({
    api: checkCalls(api, { add() {} }),
    clock,
    host: '127.0.0.1',
    port: 0,
    version: '9.9.9',
    logger: silentLogger,
    ...options,
  });
  return {
    server,
    api,
    clock,
    port: Number(new URL(server.url).port),
    fetch: (path, init) => fetch(server.url + path, init),
    post: (path, body) =>
      fetch(server.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

/** A response with everything a test checks. */
interface RawReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A request whose path and headers are sent unchanged, which `fetch` does not allow. */
export function sendRaw(
  port: number,
  path: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const outgoing = startRequest(
      { host: '127.0.0.1', port, path, method, headers, agent: false },
      (incoming) => {
        readText(incoming).then(
          (received) =>
            resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: received }),
          reject,
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Sends raw bytes and returns the whole response. */
export async function sendBytes(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes);
  return readText(socket);
}

/** One server-sent event, or a comment (then `event` is `:`). */
interface ReceivedEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: string;
}

/** Reads server-sent events one by one. */
export class EventReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #buffer = '';

  constructor(response: Response) {
    if (!response.body) throw new Error('the reply has no body');
    this.#reader = response.body.getReader();
  }

  /** The next event; undefined when the response has ended. */
  async next(): Promise<ReceivedEvent | undefined> {
    for (;;) {
      const end = this.#buffer.indexOf('\n\n');
      if (end >= 0) {
        const block = this.#buffer.slice(0, end);
        this.#buffer = this.#buffer.slice(end + 2);
        return parseBlock(block);
      }
      const { value, done } = await this.#reader.read();
      if (done) return undefined;
      this.#buffer += this.#decoder.decode(value, { stream: true });
    }
  }

  /** The next event that is not a comment. */
  async nextEvent(): Promise<ReceivedEvent | undefined> {
    let received = await this.next();
    while (received?.event === ':') received = await this.next();
    return received;
  }

  cancel(): Promise<void> {
    return this.#reader.cancel();
  }
}

function parseBlock(block: string): ReceivedEvent {
  if (block.startsWith(':')) return { event: ':', id: undefined, data: block.slice(1).trim() };
  const fields = new Map(
    block.split('\n').map((line) => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)];
    }),
  );
  return { event: fields.get('event') ?? 'message', id: fields.get('id'), data: fields.get('data') ?? '' };
}

/** One call that arrived. */
interface RecordedCall {
  readonly name: OperationName;
  readonly input: unknown;
  readonly caller: Caller;
}

const echo = ({ name, input }: RecordedCall): unknown => ({ name, input });

/** An open stream, controlled by the test. */
interface OpenStream {
  readonly name: StreamName;
  readonly input: unknown;
  readonly observer: StreamObserver<unknown>;
  disposed: number;
}

/** An engine API that records calls and responds as the test configures. */
export class FakeApi implements EngineApi {
  readonly calls: RecordedCall[] = [];
  readonly streams: OpenStream[] = [];
  /** What every call does; echoes its input by default. */
  answer: (call: RecordedCall) => unknown = echo;
  /** Sent at once to all subscribers. */
  streamError: ErrorBody | undefined;
  #waiting: ((stream: OpenStream) => void)[] = [];

  async call<Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
    caller: Caller,
  ): Promise<OperationOutput<Name>> {
    const call = { name, input, caller };
    this.calls.push(call);
    return (await this.answer(call)) as OperationOutput<Name>;
  }

  follow<Name extends StreamName>(
    name: Name,
    input: StreamInput<Name>,
    observer: StreamObserver<StreamItem<Name>>,
  ): Dispose {
    const stream: OpenStream = { name, input, observer, disposed: 0 };
    this.streams.push(stream);
    if (this.streamError) observer.end(this.streamError);
    for (const resolve of this.#waiting.splice(0)) resolve(stream);
    return () => {
      stream.disposed += 1;
    };
  }

  /** Resolves with the next stream that is opened. */
  nextStream(): Promise<OpenStream> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  /** Forgets all calls, and responds as at first: for the next test of a shared server. */
  reset(): void {
    this.calls.length = 0;
    this.streams.length = 0;
    this.answer = echo;
    this.streamError = undefined;
  }

  /** Makes every call fail. */
  refuse(error: AppError | Error): void {
    this.answer = () => {
      throw error;
    };
  }
}

/** The response. */
interface Answer {
  readonly status: number;
  /** Parsed JSON; empty for a response without a body. */
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
}

/** A real engine behind a real server. */
export interface ApiHarness {
  readonly engine: TestEngine;
  /** Absolute path of a workflow file. */
  fileOf(name: string): string;
  write(name: string, text: string): void;
  get(path: string): Promise<Answer>;
  /** Sends a body as JSON, to a path below `/api/v2` or, when it starts so, below `/api`. */
  send(method: string, path: string, body?: unknown): Promise<Answer>;
}

export async function openApiHarness(options: Partial<ServerOptions> = {}): Promise<ApiHarness> {
  const engine = new TestEngine();
  const served = await serve({ api: engine.host.api, ...options });
  onTestCleanup(() => served[Symbol.asyncDispose]());
  const fileOf = (name: string): string => join(engine.home, 'dags', `${name}.yaml`);
  const send = async (method: string, address: string, body?: unknown): Promise<Answer> => {
    const preset =
      body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const url = address.startsWith('/api/') ? address : `/api/v2${address}`;
    const reply = await served.fetch(url, { method, ...preset });
    const text = await reply.text();
    const parsed = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
    return { status: reply.status, body: parsed, headers: reply.headers };
  };
  return {
    engine,
    fileOf,
    write: (name, text) => writeFileSync(fileOf(name), text),
    get: (address) => send('GET', address),
    send,
  };
}

/** The content of a response. */
export interface Reply {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into it by name
  readonly body: any;
  readonly headers: Headers;
}

/** A real engine behind a real server that requires credentials; closed by `await using`. */
export interface AuthServer extends AsyncDisposable {
  readonly engine: TestEngine;
  readonly auth: Auth;
  readonly url: string;
  /** `GET /auth/me`; a body and its content type are added when there is one. */
  ask(
    request: string,
    options?: { as?: string; body?: object; headers?: Record<string, string> },
  ): Promise<Reply>;
  /** Creates a user, whose password is `password of NAME`, and logs in. */
  enter(username: string, role: Role): Promise<{ readonly id: string; readonly token: string }>;
}

/** @param config text of `config.yaml` */
export async function serveWithAuth(
  config = 'auth: {mode: builtin}\n',
  options: Partial<ServerOptions> = {},
): Promise<AuthServer> {
  const home = makeEngineHome();
  writeFileSync(join(home, 'config.yaml'), config);
  const engine = new TestEngine({ home });
  const auth = await engine.host.auth();
  const server = await startServer({
    ...readServerSettings(engine.host.config),
    api: engine.host.api,
    inbound: engine.host.inbound,
    pings: engine.host.pings,
    auth,
    host: '127.0.0.1',
    port: 0,
    version: '9.9.9',
    logger: silentLogger,
    clock: engine.clock,
    ...options,
  });
  const ask: AuthServer['ask'] = async (request, { as, body, headers = {} } = {}) => {
    const [method = '', path = ''] = request.split(' ');
    const reply = await fetch(`${server.url}/api/v2${path}`, {
      method,
      headers: {
        ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    return { status: reply.status, body: text === '' ? undefined : JSON.parse(text), headers: reply.headers };
  };
  return {
    engine,
    auth,
    url: server.url,
    ask,
    async enter(username, role) {
      const password = `password of ${username}`;
      const { id } = await auth.users.create({ username, password, role });
      return { id, token: (await auth.login(username, password)).token };
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}
