import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { errorCodes, type ErrorCode } from '../base/error-codes.ts';
import { AppError, toErrorBody } from '../base/errors.ts';
import { truncate } from '../base/text/truncate.ts';

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
