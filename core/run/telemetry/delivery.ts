import { wait } from '../../base/wait.ts';
import http from 'node:http';
import https from 'node:https';
import { gzipSync } from 'node:zlib';
import type { Clock } from '../../base/clock.ts';
import type { Destination } from './destination.ts';

/** Retryable response statuses (OTLP, Failures). */
const retryableStatuses: ReadonlySet<number | undefined> = new Set([429, 502, 503, 504]);
const firstPauseMs = 1000;
const maxPauseMs = 5000;
/** Maximum size of a response to read, in bytes. */
const maxResponseLength = 64 * 1024;

const late = 'timed out';

/** Outcome of one attempt. */
type Outcome =
  | { readonly answer: Buffer }
  | { readonly error: string; readonly again: boolean; readonly waitMs?: number | undefined };

/** Posts bodies one after the other, with retries. */
export class Delivery {
  readonly #destination: Destination;
  readonly #clock: Clock;
  readonly #agent: http.Agent;
  readonly #cutting = new AbortController();
  readonly #hurrying = new AbortController();

  constructor(destination: Destination, clock: Clock) {
    this.#destination = destination;
    this.#clock = clock;
    const { url, tls } = destination;
    this.#agent =
      url.protocol === 'https:'
        ? new https.Agent({ keepAlive: true, ...tls })
        : new http.Agent({ keepAlive: true });
  }

  /** Returns the receiver's response. Rejects with a description of the error. */
  async send(body: Uint8Array): Promise<Buffer> {
    const clock = this.#clock;
    const { timeoutMs, gzip } = this.#destination;
    const deadline = clock.monotonic() + timeoutMs;
    const payload = gzip ? gzipSync(body) : body;
    let pauseMs = firstPauseMs;
    for (;;) {
      const isLast = this.#hurrying.signal.aborted;
      const outcome = await this.#try(payload, deadline - clock.monotonic());
      if ('answer' in outcome) return outcome.answer;
      const waitMs = outcome.waitMs ?? pauseMs * (0.8 + Math.random() * 0.4);
      const mustGiveUp = !outcome.again || isLast || this.#cutting.signal.aborted;
      if (mustGiveUp || clock.monotonic() + waitMs >= deadline) throw new Error(outcome.error);
      await wait(this.#clock, waitMs, this.#hurrying.signal);
      pauseMs = Math.min(maxPauseMs, pauseMs * 1.5);
    }
  }

  /** Disables retries; a pending retry runs immediately. */
  hurry(): void {
    this.#hurrying.abort();
  }

  /** Aborts the current request and closes the connections. */
  close(): void {
    this.#hurrying.abort();
    this.#cutting.abort();
    this.#agent.destroy();
  }

  #try(body: Uint8Array, timeoutMs: number): Promise<Outcome> {
    const { url, headers, format, gzip } = this.#destination;
    const { request } = url.protocol === 'https:' ? https : http;
    return new Promise((resolve) => {
      const end = (outcome: Outcome): void => {
        dispose();
        resolve(outcome);
      };
      const timing = new AbortController();
      const dispose = this.#clock.after(timeoutMs, () => {
        end({ error: late, again: false });
        timing.abort();
      });
      const signal = AbortSignal.any([this.#cutting.signal, timing.signal]);
      const options = {
        method: 'POST',
        agent: this.#agent,
        signal,
        headers: {
          'user-agent': 'stepwright',
          ...headers,
          ...(gzip ? { 'content-encoding': 'gzip' } : {}),
          'content-type': format === 'json' ? 'application/json' : 'application/x-protobuf',
          'content-length': body.byteLength,
        },
      };
      try {
        request(url, options, (response) => void readAnswer(response).then(end))
          .on('error', (error: NodeJS.ErrnoException) =>
            end({ error: this.#cutting.signal.aborted ? late : formatError(error), again: true }),
          )
          .end(body);
      } catch (error) {
        // The header is invalid in HTTP.
        end({ error: (error as Error).message, again: false });
      }
    });
  }
}

async function readAnswer(response: http.IncomingMessage): Promise<Outcome> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxResponseLength) break;
    }
  } catch {
    // The status has been received and is sufficient.
  }
  const { statusCode = 0, statusMessage = '' } = response;
  if (statusCode >= 200 && statusCode < 300) return { answer: Buffer.concat(chunks) };
  const seconds = Number(response.headers['retry-after']);
  return {
    error: `responded with ${statusCode} ${statusMessage}`.trim(),
    again: retryableStatuses.has(statusCode),
    waitMs: seconds > 0 ? seconds * 1000 : undefined,
  };
}

/** Describes an error; for several tried addresses, the first error represents all. */
function formatError(error: NodeJS.ErrnoException): string {
  const [first] = error instanceof AggregateError ? (error.errors as NodeJS.ErrnoException[]) : [error];
  const { code, message } = first ?? error;
  if (code === 'ECONNREFUSED') return 'connection refused';
  if (code === 'ENOTFOUND') return 'host name not found';
  return message === '' ? (code ?? 'connection failed') : message;
}
