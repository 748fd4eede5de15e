import { LruCache } from '../../base/lru-cache.ts';
import { isIPv6, SocketAddress } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';

/** Number of free failed attempts, and the maximum delay after more of them, in milliseconds. */
interface Limit {
  readonly free: number;
  readonly maxMs: number;
}

/**
 * Limits per user and per address. A user's delay stays short, because anyone can cause it by guessing. An address has
 * more free attempts, because it may have several users.
 */
const limits = {
  user: { free: 10, maxMs: 60_000 },
  address: { free: 30, maxMs: 300_000 },
} as const satisfies Record<string, Limit>;

/** Time without failures after which all are forgotten, in milliseconds. */
const forgetMs = 15 * 60_000;
/** Maximum number of tracked users and addresses; beyond it, the least recently active one is dropped. */
export const maxRemembered = 10_000;

interface Failures {
  count: number;
  lastAt: number;
  blockedUntil: number;
}

/** A started attempt. It counts as a failure unless it is marked as successful. */
export interface LoginAttempt {
  succeed(): void;
}

/** Slows down password guessing: after some failures, each further one doubles the delay, per user and per address. */
export class LoginThrottle {
  readonly #clock: Clock;
  /** In the order of the last failure. */
  readonly #failures = new LruCache<string, Failures>(maxRemembered);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Starts an attempt. Throws `too_many_requests` with `details.retryAfter`, in seconds, while the user or address
   * must wait.
   */
  begin(username: string, address: string | undefined): LoginAttempt {
    const now = this.#clock.monotonic();
    const user = `user ${username}`;
    const limited = [{ key: user, limit: limits.user as Limit }];
    if (address !== undefined)
      limited.push({ key: `address ${getNetworkPrefix(address)}`, limit: limits.address });
    const blockedUntil = Math.max(...limited.map(({ key }) => this.#failures.peek(key)?.blockedUntil ?? 0));
    if (blockedUntil > now) throw tooManyAttemptsError(Math.ceil((blockedUntil - now) / 1000));
    // Counted before the password check, so that parallel guesses count separately.
    for (const { key, limit } of limited) this.#count(key, limit, now);
    return { succeed: () => limited.forEach(({ key }) => this.#clearFailures(key, key === user)) };
  }

  /** Number of tracked users and addresses. */
  get size(): number {
    return this.#failures.size;
  }

  #count(key: string, { free, maxMs }: Limit, now: number): void {
    const before = this.#failures.peek(key);
    const count = before === undefined || now - before.lastAt > forgetMs ? 1 : before.count + 1;
    const waitMs = count < free ? 0 : Math.min(maxMs, 1000 * 2 ** Math.min(count - free, 20));
    this.#failures.set(key, { count, lastAt: now, blockedUntil: now + waitMs });
  }

  /** Clears the failures of a logged-in user; for the address, only this attempt. */
  #clearFailures(key: string, isUser: boolean): void {
    const failures = this.#failures.peek(key);
    if (failures === undefined) return;
    if (isUser || failures.count <= 1) this.#failures.delete(key);
    else {
      failures.count -= 1;
      failures.blockedUntil = 0;
    }
  }
}

const tooManyAttemptsError = (seconds: number): AppError =>
  new AppError('too_many_requests', `Too many failed sign-in attempts. Try again in ${seconds} s.`, {
    details: { retryAfter: seconds },
  });

/**
 * Returns the address for counting attempts: for IPv6 the first 64 bits, because one machine can use its whole
 * network.
 */
export function getNetworkPrefix(address: string): string {
  if (!isIPv6(address)) return address;
  const plain = new SocketAddress({ address, family: 'ipv6' }).address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain);
  if (mapped?.[1] !== undefined) return mapped[1];
  const [head = '', tail] = plain.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros =
    tail === undefined ? [] : Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0');
  const groups = [...first, ...zeros, ...last].slice(0, 4);
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':');
}
