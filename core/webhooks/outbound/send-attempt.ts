import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Clock } from '../../base/clock.ts';
import { checkHost } from './address-check.ts';
import type { Connections } from './connections.ts';
import { describeFailure, describeStatus, AbortedAttempt } from './describe-outcome.ts';

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
      status: describeFailure(reason),
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
  status: describeStatus(statusCode),
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
