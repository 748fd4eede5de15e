import type { Clock, Dispose } from '../base/clock.ts';
import { AppError, type ErrorBody } from '../base/errors.ts';
import { sendsInputInQuery } from '../contract/transport/http-wire.ts';
import { routes, streamRoutes } from '../contract/routes.ts';
import type {
  OperationInput,
  OperationName,
  OperationOutput,
  StreamInput,
  StreamItem,
  StreamName,
} from '../contract/operations.ts';
import { traceHeaders, type TraceContext } from '../model/workflow/trace-context.ts';
import { buildPath, findApi, findMount, omitPathFields } from './address.ts';
import { describeUnreachable } from './describe-unreachable.ts';
import { followStream, type FollowObserver } from './follow-stream.ts';
import { readErrorBody } from './read-error-body.ts';
import type { Answer, Send, SentRequest } from './send.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Which server, who asks, and by what means. */
export interface ClientSettings {
  /** Address of the server with its base path, if it has one: `http://127.0.0.1:8080`, `https://build.example/engine`. */
  readonly url: string;
  /** A session's or an API token; sent as `Authorization: Bearer`. */
  readonly token?: string | undefined;
  /** What the calls are part of; sent as `traceparent` and `tracestate`. */
  readonly trace?: TraceContext | undefined;
  /** Instead of the global one: for a proxy, an agent or a test. */
  readonly fetch?: Send | undefined;
  readonly clock: Pick<Clock, 'after'>;
}

/** How one call is to be made. */
export interface CallOptions {
  /** Gives the call up; it then rejects with the signal's reason. What the engine has begun it goes on with. */
  readonly signal?: AbortSignal;
  /** In a browser: a page that goes lets the call go on, as far as its input is no larger than browsers allow. */
  readonly outlivesPage?: boolean;
}

/** The operations of an engine over HTTP, typed by the table of operations. */
export interface Client {
  /** Where the API begins: `http://127.0.0.1:8080/api/v2`. */
  readonly api: string;
  /** Rejects with an `AppError`: the engine's refusal, or `unavailable` when the server was not reached. */
  call<Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
    options?: CallOptions,
  ): Promise<OperationOutput<Name>>;
  /**
   * Follows a stream until the returned function is called, over as many connections as that takes: a lost one is
   * opened again from the last event seen, one without a sign of life for 45 s counts as lost.
   */
  follow<Name extends StreamName>(
    name: Name,
    input: StreamInput<Name>,
    observer: FollowObserver<StreamItem<Name>>,
  ): Dispose;
  /** Ends all streams without a word to their observers, and gives up calls under way: they reject with `unavailable`. */
  close(): void;
}

/** A client of one server. Throws `bad_request` when `url` is no http or https address. */
export function openClient(settings: ClientSettings): Client {
  return new HttpClient(settings);
}

/** Throws `not_found` for a name that the compiler has not seen. */
function findEntry<Entry>(table: Readonly<Record<string, Entry>>, name: string, kind: string): Entry {
  const entry = Object.hasOwn(table, name) ? table[name] : undefined;
  if (entry !== undefined) return entry;
  throw new AppError(
    'not_found',
    `There is no ${kind} "${name}"; docs/api-reference.md lists what there is.`,
  );
}

/** Characters; browsers refuse requests of more than 64 KiB that are to outlive their page. */
const mostOutliving = 16_000;

class HttpClient implements Client {
  readonly api: string;
  readonly #settings: ClientSettings;
  readonly #fetch: Send;
  readonly #streams = new Set<Dispose>();
  /** Requests under way. */
  readonly #requests = new Set<AbortController>();
  #closed: AppError | undefined;

  constructor(settings: ClientSettings) {
    this.#settings = settings;
    this.api = findApi(settings.url);
    // Looked up for each request: a page may replace the global one, and it must be called as one.
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
    const request: Omit<SentRequest, 'signal'> = {
      method,
      headers: this.#headers(inQuery ? {} : { 'content-type': 'application/json' }),
      ...(body !== undefined && { body }),
      ...(options.outlivesPage && (body?.length ?? 0) <= mostOutliving && { keepalive: true }),
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
    request: Omit<SentRequest, 'signal'>,
    signal: AbortSignal | undefined,
  ): Promise<unknown> {
    if (this.#closed) throw this.#closed;
    signal?.throwIfAborted();
    const way = new AbortController();
    const giveUp = (): void => way.abort(signal?.reason);
    this.#requests.add(way);
    signal?.addEventListener('abort', giveUp);
    try {
      return await readReply(url, await this.#fetch(url, { ...request, signal: way.signal }));
    } catch (thrown) {
      if (thrown instanceof AppError) throw thrown;
      way.signal.throwIfAborted();
      throw toRefusal(describeUnreachable(url, thrown), thrown);
    } finally {
      this.#requests.delete(way);
      signal?.removeEventListener('abort', giveUp);
    }
  }
}

async function readReply(url: string, response: Answer): Promise<unknown> {
  if (!response.ok) throw toRefusal(await readErrorBody(response));
  const text = await response.text();
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const { origin } = new URL(url);
    const message = `${origin} has answered, but not as an engine does. Is it the right address?`;
    throw new AppError('unavailable', message);
  }
}

const toRefusal = ({ code, message, details }: ErrorBody, cause?: unknown): AppError =>
  new AppError(code, message, { ...(details !== undefined && { details }), cause });
