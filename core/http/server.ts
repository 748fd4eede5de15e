import fastify, { type FastifyInstance } from 'fastify';
import { checkInputs } from '../api/checked-api.ts';
import type { EngineApi } from '../api/engine-host.ts';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { apiPrefix } from '../contract/transport/http-wire.ts';
import { buildOpenApi } from '../contract/openapi/openapi.ts';
import { answerBrokenRequest } from './broken-request.ts';
import { Connections } from './connections.ts';
import { listen } from './listen.ts';
import { answerMissingRoute, isApiPath } from './missing-routes.ts';
import { addOperationRoutes } from './operation-routes.ts';
import { checkOrigin } from './origin-guard.ts';
import { sendRefusal, toRefusal } from './problem.ts';
import { apiHeaders, responseHeaders } from './response-headers.ts';
import { StreamRoutes } from './stream-routes.ts';
import { addWebUi } from './web-ui.ts';

/** Bytes of a request body. */
export const maximumBody = 8 * 1_048_576;
/** How long `close` waits for requests under way before it cuts their connections. */
export const closeGraceMs = 10_000;

export interface ServerOptions {
  readonly api: EngineApi;
  /** Name or address to bind to; anything but loopback needs `allowRemote` (DESIGN D10). */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly allowRemote?: boolean;
  /** Folder of the built web UI; without it only the API is served. */
  readonly webRoot?: string;
  readonly version: string;
  readonly logger: Logger;
  readonly clock: Clock;
}

export interface RunningServer {
  /** Where it is reached, without a slash at the end. */
  readonly url: string;
  /** Ends the streams, waits for requests under way, and stops listening. */
  close(): Promise<void>;
}

/**
 * Starts the loopback server: the engine API, its events and the web UI (DESIGN 6).
 * Throws `forbidden` for a host that is not loopback, `unavailable` when the port is taken.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const connections = new Connections();
  const app = createApp(options, connections);
  const api = checkInputs(options.api);
  const streamRoutes = new StreamRoutes(api, options.clock);
  guardRequests(app, options.host);
  connections.watch(app);
  addOperationRoutes(app, api);
  streamRoutes.register(app);
  addOpenApi(app, options.version);
  if (options.webRoot !== undefined) await addWebUi(app, options.webRoot);
  const url = await listen(app, options);
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    const giveUp = options.clock.after(closeGraceMs, () => connections.cut());
    connections.refuseNew();
    streamRoutes.endAll();
    await app.close();
    giveUp();
  };
  return { url, close: () => (closing ??= close()) };
}

function createApp({ logger, clock }: ServerOptions, connections: Connections): FastifyInstance {
  const app = fastify({
    logger: false,
    bodyLimit: maximumBody,
    requestTimeout: 60_000,
    http: { headersTimeout: 15_000 },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => {
      const answer = (): void => answerBrokenRequest(error, socket);
      if (error.code !== 'ERR_HTTP_REQUEST_TIMEOUT') answer();
      else connections.answerLate(socket, (read) => clock.soon(read), answer);
    },
    // Step names have no length limit of their own (DESIGN 4); the size of the headers limits them here.
    routerOptions: { maxParamLength: 16_384 },
    frameworkErrors: (error, _request, reply) => {
      void reply.headers({ ...responseHeaders, ...apiHeaders });
      void sendRefusal(reply, toRefusal(error, logger));
    },
  });
  app.removeAllContentTypeParsers();
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else void parseJson(request, body, done);
  });
  app.setErrorHandler((error, _request, reply) => sendRefusal(reply, toRefusal(error, logger)));
  app.setNotFoundHandler(answerMissingRoute);
  return app;
}

function guardRequests(app: FastifyInstance, boundHost: string): void {
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers(responseHeaders);
    if (isApiPath(request.url)) void reply.headers(apiHeaders);
    checkOrigin(request.headers, request.method, boundHost);
  });
}

function addOpenApi(app: FastifyInstance, version: string): void {
  let text: string | undefined;
  app.get(`${apiPrefix}/openapi.json`, (_request, reply) => {
    text ??= JSON.stringify(buildOpenApi(version));
    return reply.type('application/json; charset=utf-8').send(text);
  });
}
