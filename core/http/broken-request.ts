import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { errorCodes, type ErrorCode } from '../base/error-codes.ts';
import { AppError, toErrorBody } from '../base/errors.ts';

const refusals: Readonly<Record<string, { readonly code: ErrorCode; readonly message: string }>> = {
  HPE_HEADER_OVERFLOW: { code: 'headers_too_large', message: 'The request headers are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'request_timeout', message: 'The request was sent too slowly.' },
};

const notHttp = { code: 'bad_request', message: 'The request is not well-formed HTTP.' } as const;

/** Answers what is no HTTP request at all: there is no reply object, only the connection. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { code, message } = refusals[error.code ?? ''] ?? notHttp;
  const body = JSON.stringify(toErrorBody(new AppError(code, message)));
  const status = errorCodes[code].http;
  const head =
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n` +
    `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
  // Whoever does not even read the refusal gets no more time.
  socket.end(head + body, () => socket.destroySoon());
}
