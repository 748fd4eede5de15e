import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type, { type TObject, type TSchema, IsArray, IsBoolean, IsInteger, IsNumber } from 'typebox';
import type { EngineApi } from '../api/engine-api.ts';
import { getPrefix, listPathFields, sendsInputInQuery } from '../contract/transport.ts';
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
import { findNearest, truncate } from '../base/text.ts';
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

/** Request parts with an operation's input. */
export interface ParsedInput {
  /** Raw path and query. */
  readonly url: string;
  /** Decoded path parameters by name. */
  readonly pathValues: Readonly<Record<string, string>>;
  /** Parsed JSON; undefined if there was none. */
  readonly body: unknown;
}

/** Operation properties that define the source of its input. */
export interface InputSource {
  readonly method: string;
  readonly path: string;
  readonly input: TObject;
}

/**
 * Builds an operation's input from path, query and body. Strings of path and query are converted to the schema's
 * types; the engine API validates the values. Throws `bad_request` with the field name.
 */
export function readInput(source: InputSource, parsed: ParsedInput): Record<string, unknown> {
  const { properties } = source.input;
  const pathFields = listPathFields(source.path);
  const fromPath = Object.fromEntries(
    pathFields.map((field) => [
      field,
      coerceText(field, getSchema(properties, field), [parsed.pathValues[field] ?? '']),
    ]),
  );
  const queryFields = sendsInputInQuery(source.method)
    ? Object.keys(properties).filter((field) => !pathFields.includes(field))
    : [];
  const fromQuery = readQuery(parsed.url, properties, queryFields);
  return { ...readBody(parsed.body), ...fromQuery, ...fromPath };
}

function readQuery(
  url: string,
  properties: Readonly<Record<string, TSchema>>,
  fields: readonly string[],
): Record<string, unknown> {
  const queryStart = url.indexOf('?');
  if (queryStart < 0) return {};
  const query = new URLSearchParams(url.slice(queryStart + 1));
  const values: Record<string, unknown> = {};
  for (const field of new Set(query.keys())) {
    if (!fields.includes(field)) throw unknownFieldError(field, fields);
    values[field] = coerceText(field, getSchema(properties, field), query.getAll(field));
  }
  return values;
}

function unknownFieldError(field: string, known: readonly string[]): AppError {
  const nearest = findNearest(field, known);
  const advice =
    known.length === 0
      ? 'this operation has no query parameters'
      : `${nearest ? `did you mean \`${nearest}\`? ` : ''}Valid parameters: ${known.map((name) => `\`${name}\``).join(', ')}`;
  return new AppError('bad_request', `Unknown query parameter \`${field}\`: ${advice}.`, {
    details: { field },
  });
}

function readBody(body: unknown): Record<string, unknown> {
  if (body === undefined) return {};
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AppError('bad_request', 'The request body must be a JSON object.');
  }
  return { ...body };
}

function getSchema(properties: Readonly<Record<string, TSchema>>, field: string): TSchema {
  return properties[field] ?? Type.String();
}

/**
 * Converts the strings of a path or query field to the schema's type: an array from repeated or comma-separated
 * values, otherwise exactly one value. Throws `bad_request` with the field name if invalid.
 */
export function coerceText(field: string, schema: TSchema, texts: readonly string[]): unknown {
  if (IsArray(schema)) {
    const names = texts.flatMap((text) => text.split(',')).filter((part) => part !== '');
    return names.map((part) => coerceValue(field, schema.items, part));
  }
  const [text, ...more] = texts;
  if (text === undefined || more.length > 0)
    throw coercionError(field, `is set ${texts.length} times but allowed only once`);
  return coerceValue(field, schema, text);
}

function coerceValue(field: string, schema: TSchema, text: string): unknown {
  if (IsInteger(schema)) return coerceInteger(field, text);
  if (IsNumber(schema)) return coerceNumber(field, text);
  if (IsBoolean(schema)) return coerceBoolean(field, text);
  return text;
}

function coerceInteger(field: string, text: string): number {
  const value = Number(text);
  if (!/^[+-]?\d+$/.test(text) || !Number.isSafeInteger(value)) {
    throw coercionError(field, `must be a whole number, not ${quote(text)}`);
  }
  return value;
}

function coerceNumber(field: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value))
    throw coercionError(field, `must be a number, not ${quote(text)}`);
  return value;
}

function coerceBoolean(field: string, text: string): boolean {
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw coercionError(field, `must be \`true\` or \`false\`, not ${quote(text)}`);
}

const quote = (text: string): string => JSON.stringify(truncate(text, 80));

const coercionError = (field: string, problem: string): AppError =>
  new AppError('bad_request', `\`${field}\` ${problem}.`, { details: { field } });
