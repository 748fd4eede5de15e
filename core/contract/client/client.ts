import type { Clock, Dispose } from '../../base/clock.ts';
import { AppError, type ErrorBody } from '../../base/errors.ts';
import { sendsInputInQuery } from '../transport.ts';
import { routes, streamRoutes } from '../routes.ts';
import type {
  OperationInput,
  OperationName,
  OperationOutput,
  StreamInput,
  StreamItem,
  StreamName,
} from '../operations.ts';
import { traceHeaders, type TraceContext } from '../../model/trace-context.ts';
import {
  buildPath,
  findApi,
  findMount,
  omitPathFields,
  toUnreachableError,
  readErrorBody,
  type ClientResponse,
  type Send,
  type RequestOptions,
} from './send.ts';
import { followStream, type FollowObserver } from './follow-stream.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Server, credentials and transport of a client. */
export interface ClientSettings {
  /** URL of the server with its base path: `http://127.0.0.1:8080`, `https://build.example/engine`. */
  readonly url: string;
  /** Session or API token; sent as `Authorization: Bearer`. */
  readonly token?: string | undefined;
  /** Trace context of the calls; sent as `traceparent` and `tracestate`. */
  readonly trace?: TraceContext | undefined;
  /** Replaces the global `fetch`, for a proxy, an agent or a test. */
  readonly fetch?: Send | undefined;
  readonly clock: Pick<Clock, 'after'>;
}

/** Options of a call. */
export interface CallOptions {
  /** Aborts the call, which rejects with the signal's reason. Work that the engine has started continues. */
  readonly signal?: AbortSignal;
  /** In a browser: the call continues when the page is closed, if its input is within the browser's limit. */
  readonly outlivesPage?: boolean;
}

/** Typed operations of an engine over HTTP. */
export interface Client {
  /** URL of the API: `http://127.0.0.1:8080/api/v2`. */
  readonly api: string;
  /** Rejects with an `AppError`: the engine's error, or `unavailable` if the server is unreachable. */
  call<Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
    options?: CallOptions,
  ): Promise<OperationOutput<Name>>;
  /**
   * Follows a stream until the returned function is called. Reconnects from the last event after a lost connection, or
   * after 45 s without any data.
   */
  follow<Name extends StreamName>(
    name: Name,
    input: StreamInput<Name>,
    observer: FollowObserver<StreamItem<Name>>,
  ): Dispose;
  /** Ends all streams without notifying their observers, and aborts pending calls, which reject with `unavailable`. */
  close(): void;
}

/** Opens a client of a server. Throws `bad_request` if `url` is not an http or https URL. */
export function openClient(settings: ClientSettings): Client {
  return new HttpClient(settings);
}

/** Looks up an operation. Throws `not_found` for an unknown name from untyped code. */
function findEntry<Entry>(table: Readonly<Record<string, Entry>>, name: string, kind: string): Entry {
  const entry = Object.hasOwn(table, name) ? table[name] : undefined;
  if (entry !== undefined) return entry;
  throw new AppError('not_found', `Unknown ${kind} "${name}". See docs/api-reference.md.`);
}

/** In characters; browsers reject keepalive requests of more than 64 KiB. */
const maxOutliving = 16_000;

class HttpClient implements Client {
  readonly api: string;
  readonly #settings: ClientSettings;
  readonly #fetch: Send;
  readonly #streams = new Set<Dispose>();
  /** Pending requests. */
  readonly #requests = new Set<AbortController>();
  #closed: AppError | undefined;

  constructor(settings: ClientSettings) {
    this.#settings = settings;
    this.api = findApi(settings.url);
    // Looked up for each request, because a page may replace the global function; `fetch` must be called without a
    // receiver.
    this.#fetch = settings.fetch ?? ((url, init) => fetch(url, init));
  }

  async call<Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
    options: CallOptions = {},
  ): Promise<OperationOutput<Name>> {
    const route = findEntry(routes, name, 'operation');
    const { method, path } = route;
    const fields = input as Fields;
    const inQuery = sendsInputInQuery(method);
    const url = findMount(this.api, route) + buildPath(path, fields, inQuery);
    const body = inQuery ? undefined : JSON.stringify(omitPathFields(path, fields));
    const request: Omit<RequestOptions, 'signal'> = {
      method,
      headers: this.#headers(inQuery ? {} : { 'content-type': 'application/json' }),
      ...(body !== undefined && { body }),
      ...(options.outlivesPage && (body?.length ?? 0) <= maxOutliving && { keepalive: true }),
    };
    return (await this.#request(url, request, options.signal)) as OperationOutput<Name>;
  }

  follow<Name extends StreamName>(
    name: Name,
    input: StreamInput<Name>,
    observer: FollowObserver<StreamItem<Name>>,
  ): Dispose {
    if (this.#closed) throw this.#closed;
    const { clock } = this.#settings;
    const url = this.api + buildPath(findEntry(streamRoutes, name, 'stream').path, input, true);
    const dispose = followStream(
      { url, clock, fetch: this.#fetch, headers: this.#headers({}) },
      {
        item: (item) => observer.item(item as StreamItem<Name>),
        end: (error) => {
          this.#streams.delete(dispose);
          observer.end(error);
        },
        open: () => observer.open?.(),
        lost: (reason) => observer.lost?.(reason),
        drained: () => observer.drained?.(),
      },
    );
    this.#streams.add(dispose);
    return () => {
      this.#streams.delete(dispose);
      dispose();
    };
  }

  close(): void {
    this.#closed ??= new AppError('unavailable', `The client of ${this.api} has been closed.`);
    for (const dispose of this.#streams) dispose();
    this.#streams.clear();
    for (const request of this.#requests) request.abort(this.#closed);
  }

  #headers(more: Readonly<Record<string, string>>): Record<string, string> {
    const { token, trace } = this.#settings;
    return {
      accept: 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(trace !== undefined && traceHeaders(trace)),
      ...more,
    };
  }

  async #request(
    url: string,
    request: Omit<RequestOptions, 'signal'>,
    signal: AbortSignal | undefined,
  ): Promise<unknown> {
    if (this.#closed) throw this.#closed;
    signal?.throwIfAborted();
    const way = new AbortController();
    const abort = (): void => way.abort(signal?.reason);
    this.#requests.add(way);
    signal?.addEventListener('abort', abort);
    try {
      return await readReply(url, await this.#fetch(url, { ...request, signal: way.signal }));
    } catch (error) {
      if (error instanceof AppError) throw error;
      way.signal.throwIfAborted();
      throw toClientError(toUnreachableError(url, error), error);
    } finally {
      this.#requests.delete(way);
      signal?.removeEventListener('abort', abort);
    }
  }
}

async function readReply(url: string, response: ClientResponse): Promise<unknown> {
  if (!response.ok) throw toClientError(await readErrorBody(response));
  const text = await response.text();
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const { origin } = new URL(url);
    const message = `${origin} did not respond with JSON. Check that the URL is the address of an engine.`;
    throw new AppError('unavailable', message);
  }
}

const toClientError = ({ code, message, details }: ErrorBody, cause?: unknown): AppError =>
  new AppError(code, message, { ...(details !== undefined && { details }), cause });
