import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import type { Intake } from '../../webhooks/inbound/intake.ts';
import type { Receiver } from '../../webhooks/inbound/ports.ts';
import { decodeBody } from '../decode-body.ts';
import { receiverPrefix } from './receiver-path.ts';

/** Opens what takes webhooks, when the first one comes. */
export type IntakeOpener = () => Promise<Intake>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose address it was sent to. */
    receiver: Receiver | undefined;
  }
}

/**
 * The addresses that take webhooks. The receiver is found and its limit holds before the body is read; bodies are read
 * as bytes and no further before they are proved.
 */
export function addReceiverRoutes(app: FastifyInstance, openIntake: IntakeOpener): void {
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
    scope.post(`${receiverPrefix}:id`, { bodyLimit: mostBytes }, async (request, reply) => {
      const intake = await openIntake();
      const { key, duplicateOf, starts } = await intake.receive(request.receiver!, toRaw(request));
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

/** The receiver's own limit counts, which is no higher. */
const mostBytes = 26 * 1024 * 1024;

const toRaw = ({ headers, body, ip }: FastifyRequest): Parameters<Intake['receive']>[1] => {
  // Without a body nothing is parsed.
  const sent = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  const encoding = headers['content-encoding'];
  return { headers, body: sent, decode: (maxBytes) => decodeBody(sent, encoding, maxBytes), address: ip };
};

/** Rejects with `payload_too_large` as soon as there is too much. */
async function readBytes(payload: AsyncIterable<Buffer>, receiver: Receiver): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of payload) {
    length += part.length;
    if (length > receiver.maxBodyBytes) throw tooLarge(receiver);
    parts.push(part);
  }
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
}

const tooLarge = ({ maxBodyBytes }: Receiver): AppError =>
  new AppError(
    'payload_too_large',
    `The request body exceeds the limit of this receiver (${maxBodyBytes} bytes).`,
  );
