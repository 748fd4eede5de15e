import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../base/errors.ts';
import type { DeliveryReceiver } from '../webhooks/receiving/delivery-receiver.ts';
import type { Receiver } from '../store/types/receivers.ts';
import { decodeBody } from './json-bodies.ts';

/** Opens the webhook intake at the first request. */
export type LazyReceiver = () => Promise<DeliveryReceiver>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Receiver of the request. */
    receiver: Receiver | undefined;
  }
}

/**
 * Adds the receiver routes. The receiver is looked up and its size limit checked before the body is read; bodies stay
 * bytes until verified.
 */
export function addReceiverRoutes(app: FastifyInstance, openIntake: LazyReceiver): void {
  app.decorateRequest('receiver', undefined);
  void app.register((scope, _options, done) => {
    scope.addHook('onRequest', async (request) => {
      const { id } = request.params as { readonly id: string };
      const receiver = (await openIntake()).find(id);
      if (Number(request.headers['content-length'] ?? 0) > receiver.maxBodyBytes) throw tooLarge(receiver);
      request.receiver = receiver;
    });
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (request, payload, parsed) => {
      readBytes(payload, request.receiver!).then((body) => parsed(null, body), parsed);
    });
    scope.post(`${receiverPrefix}:id`, { bodyLimit: maxRouteBytes }, async (request, reply) => {
      const intake = await openIntake();
      const { key, duplicateOf, starts, challenge } = await intake.receive(request.receiver!, toRaw(request));
      if (challenge !== undefined) return reply.code(200).send({ challenge });
      void reply.code(202);
      return {
        id: String(key),
        ...(duplicateOf !== undefined && { duplicateOf: String(duplicateOf) }),
        runs: starts.map(({ run }) => run),
      };
    });
    done();
  });
}

/** Upper bound of the receivers' own limits. */
const maxRouteBytes = 26 * 1024 * 1024;

const toRaw = ({ headers, body, ip }: FastifyRequest): Parameters<DeliveryReceiver['receive']>[1] => {
  // Without a body, no parser runs.
  const sent = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  const encoding = headers['content-encoding'];
  return { headers, body: sent, decode: (maxBytes) => decodeBody(sent, encoding, maxBytes), address: ip };
};

/** Rejects with `payload_too_large` as soon as the limit is exceeded. */
async function readBytes(payload: AsyncIterable<Buffer>, receiver: Receiver): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const part of payload) {
    length += part.length;
    if (length > receiver.maxBodyBytes) throw tooLarge(receiver);
    chunks.push(part);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

const tooLarge = ({ maxBodyBytes }: Receiver): AppError =>
  new AppError(
    'payload_too_large',
    `The request body exceeds the limit of this receiver (${maxBodyBytes} bytes).`,
  );

/** Path prefix of receivers. */
export const receiverPrefix = '/webhooks/';

/**
 * Whether a request is for a receiver. Senders authenticate each request and may use any host name of this server, so
 * origin and host checks do not apply.
 */
export const isReceiverPath = (method: string, url: string): boolean =>
  method === 'POST' && url.startsWith(receiverPrefix);
