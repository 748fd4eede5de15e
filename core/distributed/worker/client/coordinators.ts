import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Clock } from '../../../base/clock.ts';
import type { Logger } from '../../../base/logger.ts';
import { pause } from '../pause.ts';
import { Connections, Unreachable, type Exchange } from './exchange.ts';
import type { TlsFiles } from './tls-files.ts';

/** A coordinator has answered, with no. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;
  /** Of the problem document; empty when there was none. */
  readonly code: string;
  /** The document itself. */
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

interface CoordinatorsParts {
  /** Addresses, in the order in which they are tried; one at least. */
  readonly urls: readonly string[];
  readonly tls: TlsFiles;
  readonly clock: Clock;
  readonly logger: Logger;
  /** From 0 to 1, such as `Math.random`. */
  readonly random: () => number;
}

/** Statuses of a coordinator, or of a proxy before it, that cannot serve at the moment. */
const passing: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/** The shortest and the longest wait once all coordinators have failed, milliseconds; in between, half the time that it lasts. */
const shortestWaitMs = 250;
const longestWaitMs = 10_000;

/** The coordinators of a worker. It sticks to one as long as that one answers. */
export class Coordinators {
  readonly #parts: CoordinatorsParts;
  readonly #all: readonly Connections[];
  #current = 0;
  /** Those that have not answered since one did for the last time. */
  readonly #silent = new Set<number>();
  /** Since when nobody answers, by the monotonic clock. */
  #silentSince: number | undefined;
  #isReached = false;

  constructor(parts: CoordinatorsParts) {
    this.#parts = parts;
    this.#all = parts.urls.map((url) => new Connections(url, parts.tls, parts.clock));
  }

  /** The address it speaks to, or will try next. */
  get url(): string {
    return this.#all[this.#current]!.url;
  }

  /**
   * Asks the present coordinator once, and turns to the next one when it does not answer. Rejects with
   * {@link Unreachable} or {@link Refused}; the answer's body is the caller's to read.
   */
  async ask(exchange: Exchange): Promise<IncomingMessage> {
    const asked = this.#current;
    try {
      const answer = await this.#all[asked]!.send(exchange);
      if ((answer.statusCode ?? 500) < 300) {
        this.#noteAnswer(asked);
        return answer;
      }
      throw await this.#toRefusal(answer);
    } catch (thrown) {
      if (thrown instanceof Unreachable) this.#noteFailure(asked, thrown.message);
      else if (thrown instanceof Refused) this.#noteAnswer(asked);
      throw thrown;
    }
  }

  /** The wait before the next try: none while there are coordinators that have not been tried, then more and more. */
  async waitBeforeRetry(signal?: AbortSignal): Promise<void> {
    const { clock, random } = this.#parts;
    if (!this.#silent.has(this.#current)) return pause(clock, 0, signal);
    const lasts = clock.monotonic() - (this.#silentSince ?? clock.monotonic());
    const waitMs = Math.min(longestWaitMs, Math.max(shortestWaitMs, lasts / 2));
    // Those that were cut off together do not come back together.
    await pause(clock, waitMs * (0.5 + random() / 2), signal);
  }

  close(): void {
    for (const connections of this.#all) connections.close();
  }

  async #toRefusal(answer: IncomingMessage): Promise<Error> {
    const status = answer.statusCode ?? 500;
    const said = await text(answer).catch(() => '');
    const refusal = new Refused(status, parse(said), this.url);
    return passing.has(status) ? new Unreachable(`${this.url}: ${refusal.message}`) : refusal;
  }

  #noteAnswer(asked: number): void {
    this.#silent.clear();
    this.#silentSince = undefined;
    if (this.#isReached || asked !== this.#current) return;
    this.#isReached = true;
    this.#parts.logger.info('Connected to a coordinator', { coordinator: this.url });
  }

  #noteFailure(asked: number, reason: string): void {
    const isNews = !this.#silent.has(asked);
    this.#silent.add(asked);
    this.#silentSince ??= this.#parts.clock.monotonic();
    this.#isReached = false;
    // Several requests fail together: only the first one of them moves on.
    if (asked === this.#current) this.#current = (asked + 1) % this.#all.length;
    if (isNews) this.#parts.logger.warn('Cannot reach a coordinator, retrying', { reason });
  }
}

function parse(said: string): unknown {
  try {
    return JSON.parse(said) as unknown;
  } catch {
    return undefined;
  }
}
