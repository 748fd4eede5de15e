import type { FastifyReply } from 'fastify';
import { errorCodes, type ErrorCode } from '../base/error-codes.ts';
import { AppError, toErrorBody } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';

/** Default limit of a request body in bytes. */
export const defaultMaxBodyBytes = 8 * 1_048_576;

/** Errors of the HTTP framework, by its codes. */
const frameworkErrors: Readonly<Record<string, { code: ErrorCode; message: string }>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'unsupported_media_type',
    message: 'The request body must be JSON: send it with `Content-Type: application/json`.',
  },
  FST_ERR_CTP_INVALID_JSON_BODY: {
    code: 'bad_request',
    message: 'The request body has a `__proto__` or `constructor.prototype` key. Remove it.',
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: 'bad_request',
    message: 'The length of the request body does not match its Content-Length header.',
  },
  FST_ERR_BAD_URL: { code: 'bad_request', message: 'The URL contains a malformed percent escape.' },
  FST_ERR_MAX_PARAM_LENGTH: { code: 'bad_request', message: 'A path segment is too long.' },
};

/**
 * Converts anything thrown during a request to an error response. Unexpected errors are logged in full and returned
 * without their message, which may contain internal data.
 * @param bodyLimit body limit of the route in bytes
 */
export function toHttpError(cause: unknown, logger: Logger, bodyLimit = defaultMaxBodyBytes): AppError {
  if (cause instanceof AppError && cause.code !== 'internal_error') return cause;
  if (readCode(cause) === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    const limit = `${bodyLimit / 1_048_576} MiB`;
    return new AppError('payload_too_large', `The request body exceeds the limit of ${limit}.`);
  }
  const failure = frameworkErrors[readCode(cause)] ?? findFileServerError(cause);
  if (failure) return new AppError(failure.code, failure.message);
  const error = cause instanceof Error ? cause : new Error(String(cause));
  logger.error(`request failed: ${error.message}`, { stack: error.stack ?? '' });
  return new AppError('internal_error', 'Internal error. See the engine log for details.');
}

/** Sends an error response. */
export function sendError(reply: FastifyReply, error: AppError): FastifyReply {
  const retryAfter = error.details?.['retryAfter'];
  if (typeof retryAfter === 'number') void reply.header('retry-after', String(retryAfter));
  return reply
    .code(errorCodes[error.code].http)
    .type('application/json; charset=utf-8')
    .send(toErrorBody(error));
}

/** HTTP statuses by which the static file server rejects invalid paths. */
const fileServerErrors: Readonly<Record<string, ErrorCode>> = {
  400: 'bad_request',
  403: 'forbidden',
  404: 'not_found',
};

function findFileServerError(error: unknown): { code: ErrorCode; message: string } | undefined {
  if (typeof error !== 'object' || error === null || !('statusCode' in error)) return undefined;
  const code = fileServerErrors[String(error.statusCode)];
  return code && { code, message: 'File not found.' };
}

function readCode(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}
