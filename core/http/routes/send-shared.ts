import type { FastifyReply } from 'fastify';

/** Encoded responses of immutable objects, cached as long as the object exists. */
const encoded = new WeakMap<object, Buffer>();

/** Sends a response shared by many requests, encoded once. */
export function sendShared(reply: FastifyReply, answer: object): FastifyReply {
  let bytes = encoded.get(answer);
  if (bytes === undefined) {
    bytes = Buffer.from(JSON.stringify(answer));
    encoded.set(answer, bytes);
  }
  return reply.type('application/json; charset=utf-8').send(bytes);
}
