import type { FastifyReply } from 'fastify';
import { errorCodes } from '../../base/error-codes.ts';
import { AppError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { toHttpError } from '../http-error.ts';
import { proxyStatus } from '../../gateway/service/response/error-response.ts';
import { acceptedEncodings } from '../decode-body.ts';

/** Sends a server error for a gateway request in the format of gateway errors. */
export function sendGatewayError(
  reply: FastifyReply,
  error: unknown,
  { logger, maxBodyBytes }: { readonly logger: Logger; readonly maxBodyBytes: number },
): FastifyReply {
  const { code, message } = isTooLarge(error)
    ? new AppError('payload_too_large', `The request body exceeds the limit of ${maxBodyBytes} bytes.`)
    : toHttpError(error, logger);
  if (code === 'unsupported_media_type') void reply.header('accept-encoding', acceptedEncodings);
  void reply.header('proxy-status', proxyStatus(code));
  return reply
    .code(errorCodes[code].http)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ code, message, details: null, hint: null }));
}

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE';
