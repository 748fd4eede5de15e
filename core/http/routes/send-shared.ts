import type { FastifyReply } from 'fastify';

/** Encoded responses of immutable objects, cached as long as the object exists. */
const encoded = new WeakMap<object, Buffer>();

/** Sends a response shared by many requests, encoded once. */
export function sendCached(reply: FastifyReply, response: object): FastifyReply {
  let bytes = encoded.get(response);
  if (bytes === undefined) {
    bytes = Buffer.from(JSON.stringify(response));
    encoded.set(response, bytes);
  }
  return reply.type('application/json; charset=utf-8').send(bytes);
}
