import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import { errorCodes, type ErrorCode } from '../base/error-codes.ts';
import { AppError, toErrorBody } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { truncate } from '../base/text.ts';

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

interface RequestProblem {
  readonly code: ErrorCode;
  readonly message: string;
  /** Header lines, each with its line end. */
  readonly headers?: string;
}

/** An error of Node's HTTP parser with the bytes it was parsing. */
interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: unknown;
}

const errors: Readonly<Record<string, RequestProblem>> = {
  HPE_HEADER_OVERFLOW: { code: 'headers_too_large', message: 'The request headers are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'request_timeout', message: 'The request was sent too slowly.' },
};

const notHttp = { code: 'bad_request', message: 'Malformed HTTP request.' } as const;

/** All methods of any route. */
const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

/** A request line with a method that the parser does not know: `get /api HTTP/1.1`. */
const requestLine = /^([!#$%&'*+.^_`|~\w-]+) (\S+) HTTP\/1\.[01]\r?\n/;

function toProblem({ code = '', rawPacket }: ParserError, allowedAt: AllowedAt): RequestProblem {
  const read =
    code === 'HPE_INVALID_METHOD' && Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1') : '';
  const [, method, url = ''] = requestLine.exec(read) ?? [];
  if (method === undefined) return errors[code] ?? notHttp;
  const allowed = allowedAt(url.split('?', 1)[0]!);
  const allowedMethods = allowed.length > 0 ? allowed.join(', ') : methods;
  return {
    code: 'method_not_allowed',
    message: `Unknown HTTP method "${truncate(method, 20)}". Use ${allowedMethods}.`,
    headers: `Allow: ${allowedMethods}\r\n`,
  };
}

/** Returns the methods of a path; empty if unknown. */
type AllowedAt = (path: string) => readonly string[];

/** Responds to invalid HTTP on the raw connection, because there is no reply object. */
export function respondToBrokenRequest(
  error: ParserError,
  socket: Socket,
  allowedAt: AllowedAt = () => [],
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { code, message, headers = '' } = toProblem(error, allowedAt);
  const body = JSON.stringify(toErrorBody(new AppError(code, message)));
  const status = errorCodes[code].http;
  const head =
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n${headers}` +
    `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
  // Closes the connection even if the client does not read the response.
  socket.end(head + body, () => socket.destroySoon());
}
