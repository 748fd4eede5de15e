import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Clock } from '../../../base/clock.ts';
import type { Logger } from '../../../base/logger.ts';
import { pause } from '../pause.ts';
import { Connections, Unreachable, type Exchange } from './exchange.ts';
import type { TlsFiles } from './tls-files.ts';

/** A coordinator rejected the request. */
export class Refused extends Error {
  override readonly name = 'CoordinatorError';
  readonly status: number;
  /** Code of the problem document; empty if there was none. */
  readonly code: string;
  /** The problem document. */
  readonly body: unknown;

  constructor(status: number, body: unknown, where: string) {
    const { code, message } = (typeof body === 'object' ? (body ?? {}) : {}) as {
      code?: unknown;
      message?: unknown;
    };
    super(typeof message === 'string' ? message : `${where} responded with status ${status}`);
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
const passing: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/**
 * Minimum and maximum delay after all coordinators have failed, in milliseconds; in between, half of the outage so
 * far.
 */
const shortestWaitMs = 250;
const maxWaitMs = 10_000;

/** The coordinators of a worker. It stays with one as long as that one responds. */
export class Coordinators {
  readonly #deps: CoordinatorsDeps;
  readonly #all: readonly Connections[];
  #current = 0;
  /** Coordinators that failed since the last response. */
  readonly #silent = new Set<number>();
  /** Start of the outage, on the monotonic clock. */
  #silentSince: number | undefined;
  #isReached = false;

  constructor(deps: CoordinatorsDeps) {
    this.#deps = deps;
    this.#all = deps.urls.map((url) => new Connections(url, deps.tls, deps.clock));
  }

  /** URL of the current coordinator. */
  get url(): string {
    return this.#all[this.#current]!.url;
  }

  /**
   * Sends a request to the current coordinator once, and switches to the next one if it does not respond. Rejects with
   * {@link Unreachable} or {@link Refused}; the caller reads the response body.
   */
  async ask(exchange: Exchange): Promise<IncomingMessage> {
    const asked = this.#current;
    try {
      const answer = await this.#all[asked]!.send(exchange);
      if ((answer.statusCode ?? 500) < 300) {
        this.#recordResponse(asked);
        return answer;
      }
      throw await this.#toRefusal(answer);
    } catch (error) {
      if (error instanceof Unreachable) this.#recordFailure(asked, error.message);
      else if (error instanceof Refused) this.#recordResponse(asked);
      throw error;
    }
  }

  /** Waits before a retry: not while there are untried coordinators, then with increasing delay. */
  async waitBeforeRetry(signal?: AbortSignal): Promise<void> {
    const { clock, random } = this.#deps;
    if (!this.#silent.has(this.#current)) return pause(clock, 0, signal);
    const lasts = clock.monotonic() - (this.#silentSince ?? clock.monotonic());
    const waitMs = Math.min(maxWaitMs, Math.max(shortestWaitMs, lasts / 2));
    // Random jitter, so that workers do not reconnect at the same time.
    await pause(clock, waitMs * (0.5 + random() / 2), signal);
  }

  close(): void {
    for (const connections of this.#all) connections.close();
  }

  async #toRefusal(answer: IncomingMessage): Promise<Error> {
    const status = answer.statusCode ?? 500;
    const said = await text(answer).catch(() => '');
    const error = new Refused(status, parse(said), this.url);
    return passing.has(status) ? new Unreachable(`${this.url}: ${error.message}`) : error;
  }

  #recordResponse(asked: number): void {
    this.#silent.clear();
    this.#silentSince = undefined;
    if (this.#isReached || asked !== this.#current) return;
    this.#isReached = true;
    this.#deps.logger.info('Connected to a coordinator', { coordinator: this.url });
  }

  #recordFailure(asked: number, reason: string): void {
    const isNews = !this.#silent.has(asked);
    this.#silent.add(asked);
    this.#silentSince ??= this.#deps.clock.monotonic();
    this.#isReached = false;
    // If several requests fail together, only the first switches.
    if (asked === this.#current) this.#current = (asked + 1) % this.#all.length;
    if (isNews) this.#deps.logger.warn('Cannot reach a coordinator, retrying', { reason });
  }
}

function parse(said: string): unknown {
  try {
    return JSON.parse(said) as unknown;
  } catch {
    return undefined;
  }
}
