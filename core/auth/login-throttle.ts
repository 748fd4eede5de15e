import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { networkOf } from './network-of.ts';

/** How many wrong passwords are free, and how long the wait after more of them may become, milliseconds. */
interface Limit {
  readonly free: number;
  readonly longestMs: number;
}

/** A user is never kept out for long, whoever guesses; an address has more users. */
const limits = {
  user: { free: 10, longestMs: 60_000 },
  address: { free: 30, longestMs: 300_000 },
} as const satisfies Record<string, Limit>;

/** Without a wrong password for so long, all is forgotten, milliseconds. */
const forgetMs = 15 * 60_000;
/** Users and addresses that are remembered; beyond, the one that was quiet longest is forgotten. */
export const mostRemembered = 10_000;

interface Failures {
  count: number;
  lastAt: number;
  closedUntil: number;
}

/** An attempt that has begun. It counts as a failure unless it is said to have succeeded. */
export interface LoginAttempt {
  succeed(): void;
}

/** Makes guessing slow: after some wrong passwords each further one doubles the wait, for a user and for an address. */
export class LoginThrottle {
  readonly #clock: Clock;
  /** In the order of their last failure. */
  readonly #failures = new Map<string, Failures>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Throws `too_many_requests` with `details.retryAfter`, in seconds, while the user or the address has to wait. */
  begin(username: string, address: string | undefined): LoginAttempt {
    const now = this.#clock.monotonic();
    const user = `user ${username}`;
    const places = [{ key: user, limit: limits.user as Limit }];
    if (address !== undefined) places.push({ key: `address ${networkOf(address)}`, limit: limits.address });
    const closedUntil = Math.max(...places.map(({ key }) => this.#failures.get(key)?.closedUntil ?? 0));
    if (closedUntil > now) throw refuse(Math.ceil((closedUntil - now) / 1000));
    // Counted before the password is looked at, so that many guesses at once are not one.
    for (const { key, limit } of places) this.#count(key, limit, now);
    return { succeed: () => places.forEach(({ key }) => this.#forgive(key, key === user)) };
  }

  /** Users and addresses that are remembered now. */
  get size(): number {
    return this.#failures.size;
  }

  #count(key: string, { free, longestMs }: Limit, now: number): void {
    const before = this.#failures.get(key);
    const count = before === undefined || now - before.lastAt > forgetMs ? 1 : before.count + 1;
    const waitMs = count < free ? 0 : Math.min(longestMs, 1000 * 2 ** Math.min(count - free, 20));
    this.#failures.delete(key);
    this.#failures.set(key, { count, lastAt: now, closedUntil: now + waitMs });
    const oldest = this.#failures.keys().next();
    if (this.#failures.size > mostRemembered && oldest.done !== true) this.#failures.delete(oldest.value);
  }

  /** A user who is in has no failures; of an address, only this attempt was none. */
  #forgive(key: string, isUser: boolean): void {
    const failures = this.#failures.get(key);
    if (failures === undefined) return;
    if (isUser || failures.count <= 1) this.#failures.delete(key);
    else {
      failures.count -= 1;
      failures.closedUntil = 0;
    }
  }
}

const refuse = (seconds: number): AppError =>
  new AppError('too_many_requests', `Too many failed logins. Try again in ${seconds} s.`, {
    details: { retryAfter: seconds },
  });
