import type { Clock } from '../../base/clock.ts';

/** Maximum number of tracked clients; beyond it, the least recently active one is dropped. */
export const maxRemembered = 10_000;

const minuteMs = 60_000;

/** Remaining allowance of a client. */
export interface Allowance {
  /** Whether the request is within the limit. */
  readonly isGranted: boolean;
  /** Requests that may follow immediately. */
  readonly remaining: number;
  /** Seconds until the full allowance is available. */
  readonly resetSec: number;
  /** Seconds until the next request is allowed; 0 if allowed now. */
  readonly retryAfterSec: number;
}

/**
 * Limits requests per client with a token bucket: a client can use its allowance of a minute at once, and gets it back
 * evenly over a minute, so that there is no window edge at which twice as many requests would pass.
 */
export class RateLimit {
  readonly perMinute: number;
  readonly #clock: Clock;
  /** Time on the monotonic clock at which a client's allowance is full again, in the order of the last request. */
  readonly #refilledAt = new Map<string, number>();

  constructor(perMinute: number, clock: Clock) {
    this.perMinute = perMinute;
    this.#clock = clock;
  }

  /** Number of tracked clients. */
  get size(): number {
    return this.#refilledAt.size;
  }

  /** Counts a request unless it is rejected. */
  take(client: string): Allowance {
    const now = this.#clock.monotonic();
    const each = minuteMs / this.perMinute;
    const before = Math.max(now, this.#refilledAt.get(client) ?? 0);
    // Rounding errors must not reject the last request of a minute.
    const isGranted = before + each - now <= minuteMs + each / 1000;
    const refilledAt = isGranted ? before + each : before;
    this.#refilledAt.delete(client);
    this.#refilledAt.set(client, refilledAt);
    const oldest = this.#refilledAt.keys().next();
    if (this.#refilledAt.size > maxRemembered && oldest.done !== true) this.#refilledAt.delete(oldest.value);
    return {
      isGranted,
      remaining: Math.max(0, Math.floor((minuteMs - (refilledAt - now)) / each + 0.001)),
      resetSec: Math.ceil((refilledAt - now) / 1000),
      retryAfterSec: isGranted ? 0 : Math.max(1, Math.ceil((before + each - now - minuteMs) / 1000)),
    };
  }
}
