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
    super(typeof message === 'string' ? message : `${where} answered with status ${status}`);
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

/** The wait after all coordinators have failed once, and the longest one, milliseconds. */
const firstWaitMs = 250;
const longestWaitMs = 15_000;

/** The coordinators of a worker. It sticks to one as long as that one answers. */
export class Coordinators {
  readonly #parts: CoordinatorsParts;
  readonly #all: readonly Connections[];
  #current = 0;
  /** Tries in a row that nobody has answered. */
  #failures = 0;
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
    const rounds = Math.floor(this.#failures / this.#all.length);
    const longest = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(rounds, 10));
    const isNextFresh = this.#failures > 0 && this.#failures % this.#all.length !== 0;
    await pause(clock, isNextFresh ? 0 : longest * (0.5 + random() / 2), signal);
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
    this.#failures = 0;
    if (this.#isReached || asked !== this.#current) return;
    this.#isReached = true;
    this.#parts.logger.info('Connected to a coordinator', { coordinator: this.url });
  }

  #noteFailure(asked: number, reason: string): void {
    this.#failures += 1;
    // Several requests fail together: only the first one of them moves on.
    if (asked === this.#current) this.#current = (asked + 1) % this.#all.length;
    if (!this.#isReached && this.#failures !== 1) return;
    this.#isReached = false;
    this.#parts.logger.warn('A coordinator cannot be reached; trying on', { reason });
  }
}

function parse(said: string): unknown {
  try {
    return JSON.parse(said) as unknown;
  } catch {
    return undefined;
  }
}
