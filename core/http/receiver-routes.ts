import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { DeliveryReceiver, DeliveryRequest } from '../webhooks/receiving/delivery-receiver.ts';
import { decodeBody } from './json-bodies.ts';

/** Opens the webhook intake at the first request. */
export type LazyReceiver = () => Promise<DeliveryReceiver>;

/** Adds the receiver routes. A body is read after the receiver has accepted the request line and the headers. */
export function addReceiverRoutes(app: FastifyInstance, openIntake: LazyReceiver): void {
  void app.register((scope, _options, done) => {
    scope.addHook('onRequest', async (request) => {
      // Fastify would reject an invalid type before the receiver has checked the request.
      request.headers = { 'content-type': 'application/octet-stream' };
    });
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, parsed) => parsed(null, payload));
    scope.route<{ Params: { readonly id: string } }>({
      method: routeMethods,
      url: `${receiverPrefix}:id`,
      bodyLimit: maxRouteBytes,
      exposeHeadRoute: false,
      handler: async (request, reply) => {
        const intake = await openIntake();
        const {
          status = 200,
          headers = {},
          body,
          error,
        } = await intake.receive(request.params.id, toDelivery(request));
        void reply.headers(headers);
        if (error !== undefined) throw error;
        return reply.code(status).send(body);
      },
    });
    done();
  });
}

/** Upper bound of the receivers' own limits. */
const maxRouteBytes = 26 * 1024 * 1024;

/** All methods, so that those that are not allowed get the methods of the receiver. */
const routeMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

const toDelivery = ({ method, raw: { headers }, url, ip, body }: FastifyRequest): DeliveryRequest => ({
  method,
  headers,
  query: new URLSearchParams(/\?(.*)$/s.exec(url)?.[1]),
  address: ip,
  // Without a body, no parser runs.
  body: (body ?? []) as DeliveryRequest['body'],
  decode: (bytes, maxBytes) => decodeBody(bytes, headers['content-encoding'], maxBytes),
});

/** Path prefix of receivers. */
export const receiverPrefix = '/webhooks/';

/**
 * Whether a request is for a receiver. Senders authenticate each request and may use any host name of this server, so
 * origin and host checks do not apply.
 */
export const isReceiverPath = (url: string): boolean => url.startsWith(receiverPrefix);
