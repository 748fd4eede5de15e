import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Clock } from '../../base/clock.ts';
import { checkHost } from './address-check.ts';
import type { Connections } from './connections.ts';
import { describeFailure, describeStatus, EndedEarly } from './describe-outcome.ts';

/** One attempt to deliver: where to, and the very bytes. */
export interface AttemptRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** False takes any certificate (`insecure_ssl`). */
  readonly verifyTls: boolean;
  /** True lets it go to this machine and to private networks. */
  readonly allowPrivate: boolean;
  /** From the first byte sent to the last byte of the answer. */
  readonly timeoutMs: number;
}

/** What came of an attempt. */
export interface AttemptOutcome {
  /** A 2xx answer. A redirect is none: it is not followed. */
  readonly delivered: boolean;
  /** In words, as the list of deliveries shows it. */
  readonly status: string;
  /** Absent when there was no answer. */
  readonly statusCode?: number;
  readonly durationMs: number;
  readonly timedOut: boolean;
  readonly response?: KeptResponse;
}

/** The part of an answer that is kept. */
export interface KeptResponse {
  /** Names in lower case; several values of one name are put together with `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** The first {@link keptBodyBytes} bytes, read as UTF-8. */
  readonly body: string;
  /** Whether there was more. */
  readonly cut: boolean;
}

/** How much of an answer's body is kept. */
export const keptBodyBytes = 20_000;

/** Sends one attempt. Never rejects: whatever happens is an outcome. The signal ends it as a failure. */
export async function sendAttempt(
  attempt: AttemptRequest,
  { clock, connections, signal }: { clock: Clock; connections: Connections; signal?: AbortSignal },
): Promise<AttemptOutcome> {
  const begun = clock.monotonic();
  const ending = new AbortController();
  const stopTimer = clock.after(attempt.timeoutMs, () => ending.abort(timedOut));
  const interrupt = (): void => ending.abort(interrupted);
  signal?.addEventListener('abort', interrupt, { once: true });
  if (signal?.aborted) interrupt();
  try {
    const response = await open(attempt, connections, ending.signal);
    const kept = await keepResponse(response);
    return {
      ...judge(response.statusCode ?? 0, kept),
      durationMs: clock.monotonic() - begun,
      timedOut: false,
    };
  } catch (error) {
    const reason: unknown = ending.signal.aborted ? ending.signal.reason : error;
    return {
      delivered: false,
      status: describeFailure(reason),
      durationMs: clock.monotonic() - begun,
      timedOut: reason === timedOut,
    };
  } finally {
    stopTimer();
    signal?.removeEventListener('abort', interrupt);
  }
}

const timedOut = new EndedEarly('timed out');
const interrupted = new EndedEarly('interrupted: the engine was stopped');

/** Sends the request and waits for the head of its answer; once more when its connection was kept and is gone. */
async function open(
  attempt: AttemptRequest,
  connections: Connections,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  for (;;) {
    try {
      return await request(attempt, connections, signal);
    } catch (error) {
      if (!(error instanceof StaleConnection) || signal.aborted) throw error;
    }
  }
}

/** A kept connection that the receiver had just closed: the request has not been looked at. */
class StaleConnection extends Error {}

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
      agent: connections.agentFor(attempt),
      signal,
      ...(!attempt.allowPrivate && { lookup: connections.lookup }),
    });
    sending.on('response', resolve);
    sending.on('error', (error: NodeJS.ErrnoException) => {
      const isStale = sending.reusedSocket && error.code === 'ECONNRESET';
      reject(isStale ? new StaleConnection(error.message, { cause: error }) : error);
    });
    sending.end(attempt.body);
  });
}

const judge = (
  statusCode: number,
  response: KeptResponse,
): Omit<AttemptOutcome, 'durationMs' | 'timedOut'> => ({
  delivered: statusCode >= 200 && statusCode < 300,
  status: describeStatus(statusCode),
  statusCode,
  response,
});

/** Reads an answer to its end as long as it is short; of a long one the rest is not waited for. */
async function keepResponse(response: IncomingMessage): Promise<KeptResponse> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > keptBodyBytes) break;
  }
  return {
    headers: Object.fromEntries(
      Object.entries(response.headersDistinct).map(([name, values]) => [name, (values ?? []).join(', ')]),
    ),
    body: Buffer.concat(chunks).subarray(0, keptBodyBytes).toString('utf8'),
    cut: length > keptBodyBytes,
  };
}
