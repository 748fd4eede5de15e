import type { Server as HttpsServer } from 'node:https';
import fastify, { type FastifyInstance } from 'fastify';
import { AppError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { respondToBrokenRequest } from '../../http/broken-request.ts';
import { acceptJsonBodies } from '../../http/json-bodies.ts';
import { sendError, toHttpError } from '../../http/http-error.ts';
import { apiHeaders, responseHeaders } from '../../http/response-headers.ts';
import { withoutSchemas } from '../../http/without-schemas.ts';
import type { SecureContext } from './tls/coordinator-tls.ts';

/** Maximum size of a message or log part in bytes. */
const maximumBody = 8 * 1_048_576;
/** Timeout for request headers, in milliseconds. */
const headersTimeoutMs = 15_000;
/** Timeout for a whole request, in milliseconds; uploading an artifact may take long. */
const requestTimeoutMs = 3_600_000;
/** Longer than the heartbeat interval of workers, so that connections stay open. */
const keepAliveMs = 75_000;

/** Creates the HTTP server of a coordinator, without routes. Workers without a certificate get an error message. */
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
    // The type requires one of the two; an `https` server supports everything that is used here.
    ...(secure ? { https: secure as unknown as null } : { http }),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    schemaController: withoutSchemas,
    clientErrorHandler: (error, socket) => respondToBrokenRequest(error, socket),
    routerOptions: { maxParamLength: 16_384 * 3 },
    frameworkErrors: (error, _request, reply) => void sendError(reply, toHttpError(error, logger)),
  });
  acceptJsonBodies(app);
  app.addHook('onRequest', async (_request, reply) => {
    void reply.headers({ ...responseHeaders, ...apiHeaders });
  });
  app.setErrorHandler((error, _request, reply) => {
    const failure = toHttpError(error, logger);
    if (failure.code === 'unavailable') void reply.header('retry-after', '1');
    return sendError(reply, failure);
  });
  app.setNotFoundHandler(({ method, url }) => {
    const path = url.split('?', 1)[0];
    throw new AppError('not_found', `Not found on this coordinator: ${method} ${path}.`);
  });
  return app;
}

/** Returns the HTTPS server of an app. */
export const httpsOptions = (app: FastifyInstance): HttpsServer => app.server as unknown as HttpsServer;
