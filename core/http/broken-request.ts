import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { errorCodes } from '../base/error-codes.ts';
import { AppError, toErrorBody } from '../base/errors.ts';

const reasons: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The request headers are too large.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request was sent too slowly.',
};

/** Answers what is no HTTP request at all: there is no reply object, only the connection. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const message = reasons[error.code ?? ''] ?? 'The request is not well-formed HTTP.';
  const body = JSON.stringify(toErrorBody(new AppError('bad_request', message)));
  const status = errorCodes.bad_request.http;
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n` +
      `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
