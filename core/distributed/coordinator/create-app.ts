import type { Server as HttpsServer } from 'node:https';
import fastify, { type FastifyInstance } from 'fastify';
import { AppError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { answerBrokenRequest } from '../../http/broken-request.ts';
import { takeJsonBodies } from '../../http/json-bodies.ts';
import { sendRefusal, toRefusal } from '../../http/problem.ts';
import { apiHeaders, responseHeaders } from '../../http/response-headers.ts';
import { withoutSchemas } from '../../http/without-schemas.ts';
import type { SecureContext } from './tls/coordinator-tls.ts';

/** Bytes of a message, or of a part of a log. */
const maximumBody = 8 * 1_048_576;
/** For the head of a request, milliseconds. */
const headersTimeoutMs = 15_000;
/** For a whole request: an artifact may take its time. */
const requestTimeoutMs = 3_600_000;
/** Longer than workers beat, so that their connections stay. */
const keepAliveMs = 75_000;

/** The HTTP side of a coordinator, without its routes. Workers without a certificate get to hear so in words. */
export function createApp(context: SecureContext | undefined, logger: Logger): FastifyInstance {
  const http = { headersTimeout: headersTimeoutMs };
  const secure = context && {
    ...http,
    ...context,
    ...(context.ca ? { requestCert: true, rejectUnauthorized: false } : {}),
  };
  const app = fastify({
    logger: false,
    bodyLimit: maximumBody,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveMs,
    // The type says one or the other; the server of `https` is one of `http` for all that is asked of it here.
    ...(secure ? { https: secure as unknown as null } : { http }),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    schemaController: withoutSchemas,
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket),
    routerOptions: { maxParamLength: 16_384 * 3 },
    frameworkErrors: (error, _request, reply) => void sendRefusal(reply, toRefusal(error, logger)),
  });
  takeJsonBodies(app);
  app.addHook('onRequest', async (_request, reply) => {
    void reply.headers({ ...responseHeaders, ...apiHeaders });
  });
  app.setErrorHandler((error, _request, reply) => {
    const refusal = toRefusal(error, logger);
    if (refusal.code === 'unavailable') void reply.header('retry-after', '1');
    return sendRefusal(reply, refusal);
  });
  app.setNotFoundHandler(({ method, url }) => {
    const path = url.split('?', 1)[0];
    throw new AppError('not_found', `Not found on this coordinator: ${method} ${path}.`);
  });
  return app;
}

/** The server of an app that speaks https. */
export const httpsOf = (app: FastifyInstance): HttpsServer => app.server as unknown as HttpsServer;
