import type { FastifyInstance, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { AppError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { DeliveryReceiver, RawRequest } from '../webhooks/receiving/delivery-receiver.ts';
import { allowsMethod, permitSender } from '../webhooks/receiving/read-request.ts';
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
    scope.addHook('onRequest', async (request, reply) => {
      const { id } = request.params as { readonly id: string };
      const intake = await openIntake();
      const receiver = await intake.find(id);
      const head = toHead(request);
      const permission = permitSender(head);
      if (permission !== undefined)
        return reply.headers(permission).header('allow', getAllowed(receiver)).send();
      const answer = await intake.answerUrlCheck(receiver, head);
      if (answer !== undefined) return reply.type(answer.type).send(answer.body);
      if (!allowsMethod(receiver, head)) {
        void reply.header('allow', getAllowed(receiver));
        throw wrongMethod(receiver, request.method);
      }
      if (Number(request.headers['content-length'] ?? 0) > receiver.maxBodyBytes) throw tooLarge(receiver);
      request.receiver = receiver;
      return undefined;
    });
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (request, payload, parsed) => {
      readBytes(payload, request.receiver!).then((body) => parsed(null, body), parsed);
    });
    const url = `${receiverPrefix}:id`;
    const options = { method: routeMethods, url, bodyLimit: maxRouteBytes, exposeHeadRoute: false };
    const handler: RouteHandlerMethod = async (request, reply) => {
      const intake = await openIntake();
      const { key, duplicateOf, starts, answer } = await intake.receive(request.receiver!, toRaw(request));
      if (answer !== undefined) return reply.type(answer.type).send(answer.body);
      void reply.code(202);
      return {
        id: String(key),
        ...(duplicateOf !== undefined && { duplicateOf: String(duplicateOf) }),
        runs: starts.map(({ run }) => run),
      };
    };
    scope.route({ ...options, handler });
    done();
  });
}

/** Upper bound of the receivers' own limits. */
const maxRouteBytes = 26 * 1024 * 1024;

/** All methods, so that those that are not allowed get the methods of the receiver. */
const routeMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

const getAllowed = ({ methods }: Receiver): string => methods.join(', ');

const wrongMethod = (receiver: Receiver, method: string): AppError =>
  new AppError(
    'method_not_allowed',
    `This receiver does not allow ${method}. Allowed methods: ${getAllowed(receiver)}.`,
  );

const readQuery = (url: string): URLSearchParams => new URLSearchParams(/\?(.*)$/s.exec(url)?.[1]);

const toHead = ({ method, headers, url, ip }: FastifyRequest) => ({
  method,
  headers,
  query: readQuery(url),
  address: ip,
});

function toRaw(request: FastifyRequest): RawRequest {
  const { method, headers, body, ip, url } = request;
  const receiver = request.receiver!;
  if (method === 'GET') {
    const query = Buffer.from(JSON.stringify(toPayload(readQuery(url))));
    if (query.length > receiver.maxBodyBytes) throw tooLarge(receiver);
    return { method, headers, body: query, decode: () => Promise.resolve(query), address: ip };
  }
  // Without a body, no parser runs.
  const sent = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  const encoding = headers['content-encoding'];
  const decode = (maxBytes: number): Promise<Buffer> => decodeBody(sent, encoding, maxBytes);
  return { method, headers, body: sent, decode, address: ip };
}

/** Converts a query to a payload. Repeated parameters become lists. */
const toPayload = (query: URLSearchParams): JsonObject =>
  Object.fromEntries(
    [...Map.groupBy(query, ([name]) => name)].map(([name, pairs]) => {
      const values = pairs.map(([, value]) => value);
      return [name, values.length === 1 ? values[0]! : values];
    }),
  );

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
export const isReceiverPath = (url: string): boolean => url.startsWith(receiverPrefix);
