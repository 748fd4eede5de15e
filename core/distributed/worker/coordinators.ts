import { request as requestPlain, Agent as PlainAgent, type IncomingMessage } from 'node:http';
import { request as requestSecure, Agent as SecureAgent } from 'node:https';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { TlsFiles } from './tls-files.ts';

/** A coordinator that did not respond or is unavailable; another one or a later retry may succeed. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

/** A request to a coordinator. */
export interface CoordinatorRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Path from the root of the server, with query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | Readable | undefined;
  /** Response timeout, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** File transfers use separate connections, so that heartbeats do not wait for them. */
  readonly isBulk?: boolean;
}

/** Maximum number of connections for file transfers. */
const bulkConnections = 4;
/** Idle timeout of connections in milliseconds; shorter than that of servers. */
const idleMs = 4000;

/** Connections to one coordinator. */
class Connections {
  /** URL without a trailing slash. */
  readonly url: string;
  readonly #address: URL;
  readonly #clock: Clock;
  readonly #tls: TlsFiles;
  readonly #control: PlainAgent;
  readonly #bulk: PlainAgent;

  constructor(url: string, tls: TlsFiles, clock: Clock) {
    this.url = url.replace(/\/+$/, '');
    this.#address = new URL(this.url);
    this.#clock = clock;
    this.#tls = tls;
    const Agent = this.#isSecure ? SecureAgent : PlainAgent;
    this.#control = new Agent({ keepAlive: true, timeout: 0, keepAliveMsecs: idleMs });
    this.#bulk = new Agent({ keepAlive: true, maxSockets: bulkConnections, keepAliveMsecs: idleMs });
  }

  get #isSecure(): boolean {
    return this.#address.protocol === 'https:';
  }

  /**
   * Resolves when the response has started, with any status. Rejects with {@link UnreachableError}, or the signal's reason.
   */
  async send(coordinatorRequest: CoordinatorRequest): Promise<IncomingMessage> {
    try {
      return await this.#sendOnce(coordinatorRequest);
    } catch (error) {
      // Servers close idle connections, which does not mean that they are unreachable.
      if (!(error instanceof IdleConnectionError) || coordinatorRequest.body instanceof Readable) throw error;
      return this.#sendOnce(coordinatorRequest);
    }
  }

  #sendOnce({
    method,
    path,
    headers,
    body,
    timeoutMs,
    signal,
    isBulk,
  }: CoordinatorRequest): Promise<IncomingMessage> {
    const target = new URL(this.#address.pathname.replace(/\/$/, '') + path, this.#address);
    const options = {
      method,
      headers,
      agent: isBulk === true ? this.#bulk : this.#control,
      ...(signal && { signal }),
      ...(this.#isSecure && this.#tls.read()),
    };
    return new Promise((resolve, reject) => {
      const start = this.#isSecure ? requestSecure : requestPlain;
      const clientRequest = start(target, options, (response) => {
        stopWaiting();
        resolve(response);
      });
      const stopWaiting = this.#clock.after(timeoutMs, () =>
        clientRequest.destroy(new Error(`no response within ${timeoutMs / 1000} s`)),
      );
      clientRequest.on('error', (error) => {
        stopWaiting();
        if (signal?.aborted) return reject(signal.reason as Error);
        const message = `${this.url}: ${formatError(error)}`;
        const Failure = clientRequest.reusedSocket && isReset(error) ? IdleConnectionError : UnreachableError;
        reject(new Failure(message, { cause: error }));
      });
      if (body === undefined || body instanceof Uint8Array) clientRequest.end(body);
      else body.on('error', (error) => clientRequest.destroy(error)).pipe(clientRequest);
    });
  }

  close(): void {
    this.#control.destroy();
    this.#bulk.destroy();
  }
}

/** A reused connection broke. */
class IdleConnectionError extends UnreachableError {}

const isReset = ({ code }: NodeJS.ErrnoException): boolean => code === 'ECONNRESET' || code === 'EPIPE';

/** Describes a connection error of Node for the operator. */
function formatError({ code = '', message }: NodeJS.ErrnoException): string {
  if (code === 'ECONNREFUSED') return 'connection refused';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'host name not found';
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'connection lost';
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH') return 'no route to host';
  if (/^(DEPTH_ZERO_)?SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)/.test(code))
    return `untrusted certificate (${code}); set its CA with --tls-ca`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `the certificate is for another host name (${message})`;
  if (code === 'CERT_HAS_EXPIRED') return 'the certificate has expired';
  if (/WRONG_VERSION_NUMBER|wrong version number/.test(`${code} ${message}`))
    return 'the server uses plain HTTP; use http://, or configure TLS on the coordinator';
  if (/ALERT.*(CERTIFICATE|UNKNOWN_CA)/.test(code))
    return `the coordinator rejects the certificate of this worker (${code}); check --tls-cert and --tls-key`;
  return message;
}

/** Resolves after a delay, or when the signal is aborted. Never rejects. */
export function pause(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = (): void => {
      dispose();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const dispose = clock.after(delayMs, end);
    signal?.addEventListener('abort', end, { once: true });
  });
}

/** A coordinator rejected the request. */
export class CoordinatorError extends Error {
  override readonly name = 'CoordinatorError';
  readonly status: number;
  /** Code of the problem document; empty if there was none. */
  readonly code: string;
  /** The problem document. */
  readonly body: unknown;

  constructor(status: number, body: unknown, origin: string) {
    const { code, message } = (typeof body === 'object' ? (body ?? {}) : {}) as {
      code?: unknown;
      message?: unknown;
    };
    super(typeof message === 'string' ? message : `${origin} responded with status ${status}`);
    this.status = status;
    this.code = typeof code === 'string' ? code : '';
    this.body = body;
  }
}

/** HTTP statuses of a temporarily unavailable coordinator or proxy. */
const retryableStatuses: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/**
 * Minimum and maximum delay after all coordinators have failed, in milliseconds; in between, half of the outage so
 * far.
 */
const minWaitMs = 250;
const maxWaitMs = 10_000;

/** The coordinators of a worker. It stays with one as long as that one responds. */
export class Coordinators {
  readonly #clock: Clock;
  readonly #logger: Logger;
  /** From 0 to 1, for example `Math.random`. */
  readonly #random: () => number;
  readonly #connections: readonly Connections[];
  #current = 0;
  /** Coordinators that failed since the last response. */
  readonly #unreachable = new Set<number>();
  /** Start of the outage, on the monotonic clock. */
  #unreachableSince: number | undefined;
  #isReached = false;

  /**
   * @param urls URLs in the order of preference; at least one.
   */
  constructor(urls: readonly string[], tls: TlsFiles, clock: Clock, logger: Logger, random: () => number) {
    this.#clock = clock;
    this.#logger = logger;
    this.#random = random;
    this.#connections = urls.map((url) => new Connections(url, tls, clock));
  }

  /** URL of the current coordinator. */
  get url(): string {
    return this.#connections[this.#current]!.url;
  }

  /**
   * Sends a request to the current coordinator once, and switches to the next one if it does not respond. Rejects with
   * {@link UnreachableError} or {@link CoordinatorError}; the caller reads the response body.
   */
  async ask(request: CoordinatorRequest): Promise<IncomingMessage> {
    const index = this.#current;
    try {
      const response = await this.#connections[index]!.send(request);
      if ((response.statusCode ?? 500) < 300) {
        this.#recordResponse(index);
        return response;
      }
      throw await this.#toError(response);
    } catch (error) {
      if (error instanceof UnreachableError) this.#recordFailure(index, error.message);
      else if (error instanceof CoordinatorError) this.#recordResponse(index);
      throw error;
    }
  }

  /** Waits before a retry: not while there are untried coordinators, then with increasing delay. */
  async waitBeforeRetry(signal?: AbortSignal): Promise<void> {
    if (!this.#unreachable.has(this.#current)) return pause(this.#clock, 0, signal);
    const unreachableMs = this.#clock.monotonic() - (this.#unreachableSince ?? this.#clock.monotonic());
    const waitMs = Math.min(maxWaitMs, Math.max(minWaitMs, unreachableMs / 2));
    // Random jitter, so that workers do not reconnect at the same time.
    await pause(this.#clock, waitMs * (0.5 + this.#random() / 2), signal);
  }

  close(): void {
    for (const connections of this.#connections) connections.close();
  }

  async #toError(response: IncomingMessage): Promise<Error> {
    const status = response.statusCode ?? 500;
    const responseText = await text(response).catch(() => '');
    const error = new CoordinatorError(status, parse(responseText), this.url);
    return retryableStatuses.has(status) ? new UnreachableError(`${this.url}: ${error.message}`) : error;
  }

  #recordResponse(index: number): void {
    this.#unreachable.clear();
    this.#unreachableSince = undefined;
    if (this.#isReached || index !== this.#current) return;
    this.#isReached = true;
    this.#logger.info('Connected to a coordinator', { coordinator: this.url });
  }

  #recordFailure(index: number, reason: string): void {
    const isFirstFailure = !this.#unreachable.has(index);
    this.#unreachable.add(index);
    this.#unreachableSince ??= this.#clock.monotonic();
    this.#isReached = false;
    // If several requests fail together, only the first switches.
    if (index === this.#current) this.#current = (index + 1) % this.#connections.length;
    if (isFirstFailure) this.#logger.warn('Cannot reach a coordinator, retrying', { reason });
  }
}

function parse(responseText: string): unknown {
  try {
    return JSON.parse(responseText) as unknown;
  } catch {
    return undefined;
  }
}
