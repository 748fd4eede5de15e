import type { FastifyReply } from 'fastify';
import { errorCodes } from '../../base/error-codes.ts';
import { AppError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { toRefusal } from '../problem.ts';
import { proxyStatus } from '../../gateway/service/response/refusal.ts';
import { acceptedEncodings } from '../decode-body.ts';

/** Sends a server error for a gateway request in the format of gateway errors. */
export function sendGatewayRefusal(
  reply: FastifyReply,
  thrown: unknown,
  { logger, maxBodyBytes }: { readonly logger: Logger; readonly maxBodyBytes: number },
): FastifyReply {
  const { code, message } = isTooLarge(thrown)
    ? new AppError('payload_too_large', `The request body exceeds the limit of ${maxBodyBytes} bytes.`)
    : toRefusal(thrown, logger);
  if (code === 'unsupported_media_type') void reply.header('accept-encoding', acceptedEncodings);
  void reply.header('proxy-status', proxyStatus(code));
  return reply
    .code(errorCodes[code].http)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ code, message, details: null, hint: null }));
}

const isTooLarge = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && thrown.code === 'FST_ERR_CTP_BODY_TOO_LARGE';
