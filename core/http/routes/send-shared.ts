import type { FastifyReply } from 'fastify';

/** Bytes of answers that do not change, as long as somebody keeps the answer. */
const encoded = new WeakMap<object, Buffer>();

/** Sends an answer that many are given, encoded once. */
export function sendShared(reply: FastifyReply, answer: object): FastifyReply {
  let bytes = encoded.get(answer);
  if (bytes === undefined) {
    bytes = Buffer.from(JSON.stringify(answer));
    encoded.set(answer, bytes);
  }
  return reply.type('application/json; charset=utf-8').send(bytes);
}
