import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Clock } from '../../../base/clock.ts';
import type { Logger } from '../../../base/logger.ts';
import { pause } from '../pause.ts';
import { Connections, UnreachableError, type CoordinatorRequest } from './exchange.ts';
import type { TlsFiles } from './tls-files.ts';

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

interface CoordinatorsDeps {
  /** URLs in the order of preference; at least one. */
  readonly urls: readonly string[];
  readonly tls: TlsFiles;
  readonly clock: Clock;
  readonly logger: Logger;
  /** From 0 to 1, for example `Math.random`. */
  readonly random: () => number;
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
  readonly #deps: CoordinatorsDeps;
  readonly #connections: readonly Connections[];
  #current = 0;
  /** Coordinators that failed since the last response. */
  readonly #unreachable = new Set<number>();
  /** Start of the outage, on the monotonic clock. */
  #unreachableSince: number | undefined;
  #isReached = false;

  constructor(deps: CoordinatorsDeps) {
    this.#deps = deps;
    this.#connections = deps.urls.map((url) => new Connections(url, deps.tls, deps.clock));
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
    const { clock, random } = this.#deps;
    if (!this.#unreachable.has(this.#current)) return pause(clock, 0, signal);
    const unreachableMs = clock.monotonic() - (this.#unreachableSince ?? clock.monotonic());
    const waitMs = Math.min(maxWaitMs, Math.max(minWaitMs, unreachableMs / 2));
    // Random jitter, so that workers do not reconnect at the same time.
    await pause(clock, waitMs * (0.5 + random() / 2), signal);
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
    this.#deps.logger.info('Connected to a coordinator', { coordinator: this.url });
  }

  #recordFailure(index: number, reason: string): void {
    const isFirstFailure = !this.#unreachable.has(index);
    this.#unreachable.add(index);
    this.#unreachableSince ??= this.#deps.clock.monotonic();
    this.#isReached = false;
    // If several requests fail together, only the first switches.
    if (index === this.#current) this.#current = (index + 1) % this.#connections.length;
    if (isFirstFailure) this.#deps.logger.warn('Cannot reach a coordinator, retrying', { reason });
  }
}

function parse(responseText: string): unknown {
  try {
    return JSON.parse(responseText) as unknown;
  } catch {
    return undefined;
  }
}
