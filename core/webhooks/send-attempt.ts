import { STATUS_CODES, request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { getErrorMessage } from '../base/errors.ts';
import type { Clock } from '../base/clock.ts';
import { checkHost, type Connections } from './address-check.ts';

/** Describes an HTTP status: `OK` for every success, otherwise number and name. */
function formatStatus(statusCode: number): string {
  if (statusCode >= 200 && statusCode < 300) return 'OK';
  const name = STATUS_CODES[statusCode];
  const answer = `${statusCode}${name === undefined ? '' : ` ${name}`}`;
  return statusCode >= 300 && statusCode < 400
    ? `invalid HTTP response: ${answer} (redirects are not followed)`
    : `invalid HTTP response: ${answer}`;
}

/** An attempt that was aborted locally; its message is stored. */
class AbortedAttempt extends Error {}

/** Descriptions of network errors, by error code. */
const failures: Readonly<Record<string, string>> = {
  ENOTFOUND: 'failed to connect to host: host name not found',
  EAI_AGAIN: 'failed to connect to host: temporary DNS failure',
  ECONNREFUSED: 'failed to connect to network: connection refused',
  ENETUNREACH: 'failed to connect to network: network unreachable',
  EHOSTUNREACH: 'failed to connect to network: host unreachable',
  ECONNRESET: 'connection closed by the receiver before the response was complete',
  EPIPE: 'connection closed by the receiver before the response was complete',
};

const certificateCodes = /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS_CERT|ERR_SSL)/;

/** Describes why there was no response. */
function formatFailure(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ERR_REFUSED_ADDRESS' || error instanceof AbortedAttempt) return getErrorMessage(error);
  if (certificateCodes.test(code)) {
    return `peer certificate cannot be authenticated: ${getErrorMessage(error)}`;
  }
  if (code === 'EPROTO' && getErrorMessage(error).includes('wrong version number')) {
    return 'failed to connect: the receiver does not use TLS on this port; the URL may need http://';
  }
  if (code.startsWith('HPE_')) return `invalid HTTP response: ${getErrorMessage(error)}`;
  return failures[code] ?? `failed to connect: ${getErrorMessage(error)}`;
}

/** A delivery attempt: target and exact bytes. */
export interface AttemptRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** False accepts any certificate (`insecure_ssl`). */
  readonly verifyTls: boolean;
  /** True permits local and private addresses. */
  readonly allowPrivate: boolean;
  /** From the first sent byte to the last received byte. */
  readonly timeoutMs: number;
}

/** Outcome of an attempt. */
export interface AttemptOutcome {
  /** Whether the response status is 2xx. Redirects are not followed and count as failures. */
  readonly delivered: boolean;
  /** Status text for the list of deliveries. */
  readonly status: string;
  /** Absent without a response. */
  readonly statusCode?: number;
  readonly durationMs: number;
  readonly timedOut: boolean;
  readonly response?: StoredResponse;
}

/** The stored part of a response. */
export interface StoredResponse {
  /** Names in lower case; repeated headers are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** The first {@link maxStoredBodyBytes} bytes, decoded as UTF-8. */
  readonly body: string;
  /** Whether the body was truncated. */
  readonly cut: boolean;
}

/** Bytes of a response body to store. */
export const maxStoredBodyBytes = 20_000;

/** Sends an attempt. Never rejects: every error is an outcome. Aborting the signal fails the attempt. */
export async function sendAttempt(
  attempt: AttemptRequest,
  { clock, connections, signal }: { clock: Clock; connections: Connections; signal?: AbortSignal },
): Promise<AttemptOutcome> {
  const started = clock.monotonic();
  const ending = new AbortController();
  const stopTimer = clock.after(attempt.timeoutMs, () => ending.abort(timedOut));
  const interrupt = (): void => ending.abort(interrupted);
  signal?.addEventListener('abort', interrupt, { once: true });
  if (signal?.aborted) interrupt();
  try {
    const response = await open(attempt, connections, ending.signal);
    const stored = await toStoredResponse(response);
    return {
      ...judge(response.statusCode ?? 0, stored),
      durationMs: clock.monotonic() - started,
      timedOut: false,
    };
  } catch (error) {
    const reason: unknown = ending.signal.aborted ? ending.signal.reason : error;
    return {
      delivered: false,
      status: formatFailure(reason),
      durationMs: clock.monotonic() - started,
      timedOut: reason === timedOut,
    };
  } finally {
    stopTimer();
    signal?.removeEventListener('abort', interrupt);
  }
}

const timedOut = new AbortedAttempt('timed out');
const interrupted = new AbortedAttempt('interrupted: the engine was stopped');

/** Sends the request and waits for the response headers. Retries once if a reused connection has been closed. */
async function open(
  attempt: AttemptRequest,
  connections: Connections,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  for (;;) {
    try {
      return await request(attempt, connections, signal);
    } catch (error) {
      if (!(error instanceof StaleConnectionError) || signal.aborted) throw error;
    }
  }
}

/** A reused connection that the receiver had just closed; it has not processed the request. */
class StaleConnectionError extends Error {}

function request(
  attempt: AttemptRequest,
  connections: Connections,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const url = new URL(attempt.url);
  const refused = attempt.allowPrivate ? undefined : checkHost(url.hostname);
  if (refused !== undefined) return Promise.reject(refused);
  return new Promise((resolve, reject) => {
    const sending = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      method: 'POST',
      headers: attempt.headers,
      agent: connections.poolFor(attempt),
      signal,
      ...(!attempt.allowPrivate && { lookup: connections.lookup }),
    });
    sending.on('response', resolve);
    sending.on('error', (error: NodeJS.ErrnoException) => {
      const isStale = sending.reusedSocket && error.code === 'ECONNRESET';
      reject(isStale ? new StaleConnectionError(error.message, { cause: error }) : error);
    });
    sending.end(attempt.body);
  });
}

const judge = (
  statusCode: number,
  response: StoredResponse,
): Omit<AttemptOutcome, 'durationMs' | 'timedOut'> => ({
  delivered: statusCode >= 200 && statusCode < 300,
  status: formatStatus(statusCode),
  statusCode,
  response,
});

/** Reads a short response to its end; the rest of a long one is discarded. */
async function toStoredResponse(response: IncomingMessage): Promise<StoredResponse> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxStoredBodyBytes) break;
  }
  return {
    headers: Object.fromEntries(
      Object.entries(response.headersDistinct).map(([name, values]) => [name, (values ?? []).join(', ')]),
    ),
    body: Buffer.concat(chunks).subarray(0, maxStoredBodyBytes).toString('utf8'),
    cut: length > maxStoredBodyBytes,
  };
}
