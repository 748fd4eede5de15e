import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { GatewayResponse } from '../../gateway/service/request.ts';
import { watchDisconnect } from './client-leaving.ts';
import { isPreflight } from './cross-origin.ts';
import { decodeBody } from '../decode-body.ts';
import type { GatewayService } from '../../gateway/service/gateway-service.ts';
import { gatewayPrefix } from './gateway-path.ts';
import { sendGatewayError } from './gateway-error-reply.ts';
import { toGatewayRequest } from './to-request.ts';

/** Settings for serving the gateway. */
export interface GatewayMount {
  readonly door: GatewayService;
  /** Path prefix of the server: empty, or for example `/flows`. */
  readonly basePath: string;
  /** Whether local callers need no token; true only if the server is not reachable otherwise. */
  readonly trustsLoopback: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Adds the gateway routes. Bodies are read as bytes, up to the gateway's limit, and parsed only by the gateway. */
export function addGatewayRoutes(app: FastifyInstance, place: GatewayMount): void {
  const { door, basePath, trustsLoopback, clock, logger } = place;
  const { maxBodyBytes } = door;
  const target = { mount: basePath + gatewayPrefix, trustsLoopback };
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (isPreflight(request.headers, request.method)) return reply.code(204).send();
    if (!door.isEnabled)
      throw new AppError('not_found', 'The gateway is disabled. Set gateway.enabled to true.');
    // Without a body, no parser runs.
    const sent = Buffer.isBuffer(request.body) ? request.body : new Uint8Array();
    const body = await decodeBody(sent, request.headers['content-encoding'], maxBodyBytes);
    const { signal, stopWatching } = watchDisconnect(reply.raw, clock);
    try {
      const response = await door.handle({ ...toGatewayRequest(request, body, target), signal });
      return await send(reply, response);
    } finally {
      stopWatching();
    }
  };
  const addRoutes = (scope: FastifyInstance, _options: object, done: () => void): void => {
    scope.setErrorHandler((error, _request, reply) =>
      sendGatewayError(reply, error, { logger, maxBodyBytes }),
    );
    scope.removeAllContentTypeParsers();
    const whole = { parseAs: 'buffer', bodyLimit: maxBodyBytes } as const;
    scope.addContentTypeParser('*', whole, (_request, body, parsed) => parsed(null, body));
    // Fastify itself rejects QUERY without a content type, in its own format.
    const methods = scope.supportedMethods.filter((method) => method !== 'QUERY');
    for (const url of ['', '/*']) scope.route({ method: methods, url, exposeHeadRoute: false, handler });
    // Methods without routes, such as PROPFIND. Their bodies are ignored.
    scope.setNotFoundHandler(handler);
    scope.addHook('onRequest', async (request, reply) =>
      request.is404 ? handler(request, reply) : undefined,
    );
    done();
  };
  void app.register(addRoutes, { prefix: gatewayPrefix });
}

function send(reply: FastifyReply, { status, headers, body }: GatewayResponse): FastifyReply {
  for (const [name, value] of Object.entries(headers)) void reply.header(name, value);
  return reply.code(status).send(body ?? undefined);
}
