import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { EngineApi } from '../api/engine-api.ts';
import {
  getPrefix,
  apiPrefix,
  readArtifact,
  type ArtifactPart,
  type CallArtifactBytes,
} from '../contract/transport.ts';
import { readTraceContext, type TraceContext } from '../model/trace-context.ts';
import type { Operation } from '../contract/operation.ts';
import {
  operations,
  type OperationName,
  streams,
  type StreamItem,
  type StreamName,
} from '../contract/operations.ts';
import { isShared } from '../api/caches.ts';
import type { Clock, Dispose } from '../base/clock.ts';
import { AppError, type ErrorBody, toErrorBody } from '../base/errors.ts';
import { readInput, coerceText } from './read-input.ts';
import { EventStream } from './event-stream.ts';
import { watchCredentials } from './session-cookie.ts';

/** Called with the output of an operation before the response is sent. */
export type ResponseListener = (name: OperationName, output: unknown, reply: FastifyReply) => void;

/** Adds a route per operation; GET routes also serve HEAD. */
export function addOperationRoutes(
  app: FastifyInstance,
  api: EngineApi,
  listeners: readonly ResponseListener[] = [],
): void {
  for (const name of listNames(operations)) addOperationRoute(app, { api, name, listeners });
}

function addOperationRoute(
  app: FastifyInstance,
  {
    api,
    name,
    listeners,
  }: {
    readonly api: EngineApi;
    readonly name: OperationName;
    readonly listeners: readonly ResponseListener[];
  },
): void {
  const operation: Operation = operations[name];
  const pattern = toRoutePattern(operation);
  // Both spellings, because some client generators do not support a trailing slash.
  const urls = pattern.endsWith('/') ? [pattern, pattern.slice(0, -1)] : [pattern];
  for (const url of urls)
    app.route<{ Params: Record<string, string> }>({
      method: withHeadMethod(operation.method),
      url,
      ...(operation.maxBodyBytes !== undefined && { bodyLimit: operation.maxBodyBytes }),
      config: { operation: name, ...(operation.public === true ? { isOpen: true } : {}) },
      handler: async (request, reply) => {
        const input = readInput(operation, {
          url: request.url,
          pathValues: request.params,
          body: request.body,
        });
        // The engine API validates the input.
        const output = await api.call(name, input, {
          ...request.caller,
          trace: getTrace(request.headers),
        });
        void reply.code(operation.status ?? 200);
        for (const listen of listeners) listen(name, output, reply);
        return isShared(output) ? sendCached(reply, output) : output;
      },
    });
}

/** Returns both methods for one route, because a separate HEAD route takes as long to add as GET. */
export const withHeadMethod = <Method extends string>(method: Method): (Method | 'HEAD')[] =>
  method === 'GET' ? [method, 'HEAD'] : [method];

/** Returns the trace context. Node joins repeated `traceparent` headers, which makes them invalid. */
const getTrace = ({ traceparent, tracestate }: IncomingHttpHeaders): TraceContext | undefined =>
  typeof traceparent === 'string'
    ? readTraceContext({ traceparent, tracestate: [tracestate].flat().join(',') })
    : undefined;

/** Converts `/dags/{fileName}` to `/api/v2/dags/:fileName`. */
const toRoutePattern = (mounted: Pick<Operation, 'path' | 'version'>): string =>
  getPrefix(mounted) + mounted.path.replaceAll(/\{(\w+)\}/g, ':$1');

/** Returns the keys of a table with their literal types. */
export const listNames = <Name extends string>(table: Readonly<Record<Name, unknown>>): Name[] =>
  Object.keys(table) as Name[];

/** Encoded responses of immutable objects, cached as long as the object exists. */
const encoded = new WeakMap<object, Buffer>();

/** Sends a response shared by many requests, encoded once. */
function sendCached(reply: FastifyReply, response: object): FastifyReply {
  let bytes = encoded.get(response);
  if (bytes === undefined) {
    bytes = Buffer.from(JSON.stringify(response));
    encoded.set(response, bytes);
  }
  return reply.type('application/json; charset=utf-8').send(bytes);
}

type StreamRequest = FastifyRequest<{ Params: Record<string, string> }>;

/** Routes for streams as server-sent events, which can all be ended. */
export class StreamRoutes {
  readonly #api: EngineApi;
  readonly #clock: Clock;
  readonly #onOpen: (name: StreamName) => Dispose | undefined;
  readonly #open = new Set<EventStream>();

  /** @param onOpen called for each stream; the returned function is called when the stream ends */
  constructor(
    api: EngineApi,
    clock: Clock,
    onOpen: (name: StreamName) => Dispose | undefined = () => undefined,
  ) {
    this.#api = api;
    this.#clock = clock;
    this.#onOpen = onOpen;
  }

  register(app: FastifyInstance): void {
    for (const name of listNames(streams)) {
      const url = toRoutePattern(streams[name]);
      app.route<{ Params: Record<string, string> }>({
        method: 'GET',
        url,
        config: { operation: name, isStream: true },
        exposeHeadRoute: false,
        handler: (request, reply) => this.#follow(name, request, reply),
      });
      app.head(url, (_request, reply) => reply.type('text/event-stream; charset=utf-8').send());
    }
  }

  /** Ends every open stream with `unavailable`; readers resume when a server is available. */
  endAll(): void {
    const error = toErrorBody(
      new AppError('unavailable', 'The server is stopping. Resume the stream later.'),
    );
    for (const stream of [...this.#open]) stream.end(error);
  }

  async #follow(name: StreamName, request: StreamRequest, reply: FastifyReply): Promise<FastifyReply> {
    const input = readStreamInput(name, request);
    const stream = new EventStream(reply.raw, this.#clock, reply.getHeaders());
    let failure: ErrorBody | undefined;
    let starting: Promise<void> | undefined;
    const dispose = this.#api.follow(
      name,
      // The engine API validates the input.
      input,
      {
        item: (item) => stream.send(item, readItemId(item)),
        position: (id) => stream.position(id),
        drained: () => stream.drained(),
        starting(settled) {
          starting = settled;
        },
        end: (error) => {
          if (error && stream.state === 'waiting') failure = error;
          else stream.end(error);
        },
      },
      request.caller,
    );
    this.#open.add(stream);
    const unwatch = watchCredentials({ name, request, end: (error) => stream.end(error) }, this.#clock);
    stream.onEnd(() => {
      this.#open.delete(stream);
      unwatch();
      dispose();
    });
    // An error at the start is a plain response with its HTTP status.
    await new Promise<void>((resolve) => this.#clock.soon(resolve));
    await starting;
    if (failure && stream.state === 'waiting') {
      stream.release();
      throw new AppError(failure.code, failure.message, { details: failure.details });
    }
    const uncount = this.#onOpen(name);
    reply.hijack();
    stream.open();
    if (uncount) reply.raw.once('close', uncount);
    return reply;
  }
}

/** Reads the input. `Last-Event-ID`, which a browser sends when it reconnects, overrides `after` in the URL. */
function readStreamInput(name: StreamName, request: StreamRequest): Record<string, unknown> {
  const { path, input: schema } = streams[name];
  const input = readInput(
    { method: 'GET', path, input: schema },
    { url: request.url, pathValues: request.params, body: undefined },
  );
  const lastEventId = request.headers['last-event-id'];
  if (typeof lastEventId !== 'string' || lastEventId === '' || !('after' in schema.properties)) return input;
  return { ...input, after: coerceText('Last-Event-ID', schema.properties.after, [lastEventId]) };
}

function readItemId(item: StreamItem<StreamName>): number | undefined {
  return 'id' in item ? item.id : undefined;
}

type ArtifactRequest = FastifyRequest<{ Params: { name: string; dagRunId: string; '*': string } }>;
/**
 * Adds the artifact download `GET /dag-runs/{name}/{dagRunId}/artifacts/{artifact}`, with unescaped slashes in the
 * name. Reads with `runs.artifactBytes`, so that its permissions and errors apply, with backpressure. Always a
 * download, never displayed as a page of this server, because steps can write untrusted content.
 */
export function addArtifactRoute(app: FastifyInstance, api: EngineApi): void {
  app.route<{ Params: { name: string; dagRunId: string; '*': string } }>({
    method: ['GET', 'HEAD'],
    url: `${apiPrefix}/dag-runs/:name/:dagRunId/artifacts/*`,
    handler: (request, reply) => sendArtifact(api, request, reply),
  });
}

async function sendArtifact(
  api: EngineApi,
  request: ArtifactRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { name, dagRunId, '*': artifact } = request.params;
  const address = { name, dagRunId, artifact };
  const head = await api.call('runs.artifactBytes', { ...address, length: 1 }, request.caller);
  const { range: rangeHeader, 'if-range': condition } = request.headers;
  const etag = `"${head.mark}"`;
  const holds = condition === undefined || condition === etag;
  const range = holds ? readByteRange(rangeHeader, head.size) : undefined;
  if (range === 'beyond')
    return reply
      .code(416)
      .header('content-range', `bytes */${head.size}`)
      .send({
        code: 'bad_request',
        message: `Artifact ${artifact} is ${head.size} bytes. The requested range starts beyond the end.`,
      });
  void reply.headers({
    'content-type': 'application/octet-stream',
    'content-disposition': formatFile(artifact),
    'accept-ranges': 'bytes',
    'last-modified': new Date(head.at).toUTCString(),
    etag,
  });
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  const { from, to } = range ?? { from: 0, to: head.size };
  void reply.code(range === undefined ? 200 : 206).header('content-length', to - from);
  if (range !== undefined) void reply.header('content-range', `bytes ${from}-${to - 1}/${head.size}`);
  if (request.method === 'HEAD') return reply.send();
  const call: CallArtifactBytes = (input) => api.call('runs.artifactBytes', input, request.caller);
  return reply.send(Readable.from(decode(readArtifact(call, address, { from, to, known: head.mark }))));
}

async function* decode(chunks: AsyncIterable<ArtifactPart>): AsyncGenerator<Buffer> {
  for await (const { data } of chunks) yield Buffer.from(data, 'base64');
}

/** Returns the Content-Disposition of the last path segment (RFC 6266), with an ASCII fallback. */
function formatFile(artifact: string): string {
  const name = artifact.slice(artifact.lastIndexOf('/') + 1);
  const plain = name.replaceAll(/[^\w. -]/g, '_');
  const encodedName = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodedName}`;
}

/** Bytes from `from` (inclusive) to `to` (exclusive). */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Parses a `Range` header (RFC 9110, 14.2): `bytes=100-`, `bytes=0-99`, `bytes=-50`. Undefined for the whole content,
 * which is the correct response to several or invalid ranges; `beyond` if the range starts after the end.
 */
function readByteRange(field: string | undefined, size: number): ByteRange | 'beyond' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(field ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  if (last !== '' && first !== '' && Number(last) < Number(first)) return undefined;
  return from < to ? { from, to } : 'beyond';
}
