import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { EngineApi } from '../api/engine-host.ts';
import type { Clock, Dispose } from '../base/clock.ts';
import { AppError, type ErrorBody, toErrorBody } from '../base/errors.ts';
import { streams, type StreamItem, type StreamName } from '../contract/operations.ts';
import { coerceText, readInput } from './read-input.ts';
import { EventStream } from './event-stream.ts';
import { watchCredentials } from './session-cookie.ts';
import { listNames, toRoutePattern } from './operation-routes.ts';

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
    const dispose = this.#api.follow(
      name,
      // The engine API validates the input.
      input,
      {
        item: (item) => stream.send(item, readItemId(item)),
        position: (id) => stream.position(id),
        drained: () => stream.drained(),
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
    // An immediate error is a plain response with its HTTP status.
    await new Promise<void>((resolve) => this.#clock.soon(resolve));
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
