import type { Clock } from '../../base/clock.ts';

/** Clients that are remembered; beyond, the one that was quiet longest is forgotten. */
export const mostRemembered = 10_000;

const minuteMs = 60_000;

/** What a client may still do. */
export interface Allowance {
  /** Whether the request is within the limit. */
  readonly isGranted: boolean;
  /** Requests that may come at once after this one. */
  readonly remaining: number;
  /** Until all of them may come again, seconds. */
  readonly resetSec: number;
  /** Until one may come again, seconds; 0 while one may. */
  readonly retryAfterSec: number;
}

/**
 * Counts requests by client. A client has as many as a minute allows at its disposal at once, and gets them back one
 * by one, evenly over the minute: there is no edge of a window where twice as many would pass.
 */
export class RateLimit {
  readonly perMinute: number;
  readonly #clock: Clock;
  /** When a client has all of them back, on the monotonic clock; in the order of their last request. */
  readonly #fullAt = new Map<string, number>();

  constructor(perMinute: number, clock: Clock) {
    this.perMinute = perMinute;
    this.#clock = clock;
  }

  /** Clients that are remembered now. */
  get size(): number {
    return this.#fullAt.size;
  }

  /** Counts a request, unless it is refused. */
  take(client: string): Allowance {
    const now = this.#clock.monotonic();
    const each = minuteMs / this.perMinute;
    const before = Math.max(now, this.#fullAt.get(client) ?? 0);
    // Rounding of many small steps must not cost the last request of a minute.
    const isGranted = before + each - now <= minuteMs + each / 1000;
    const fullAt = isGranted ? before + each : before;
    this.#fullAt.delete(client);
    this.#fullAt.set(client, fullAt);
    const oldest = this.#fullAt.keys().next();
    if (this.#fullAt.size > mostRemembered && oldest.done !== true) this.#fullAt.delete(oldest.value);
    return {
      isGranted,
      remaining: Math.max(0, Math.floor((minuteMs - (fullAt - now)) / each + 0.001)),
      resetSec: Math.ceil((fullAt - now) / 1000),
      retryAfterSec: isGranted ? 0 : Math.max(1, Math.ceil((before + each - now - minuteMs) / 1000)),
    };
  }
}
