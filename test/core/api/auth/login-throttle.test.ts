import { describe, expect, it } from 'vitest';
import { LoginThrottle, maxRemembered } from '../../../../core/api/auth/login-throttle.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { makeAuth } from './auth-harness.ts';

/** Fails until it has to wait; returns the number of attempts allowed. */
function failUntilClosed(attempt: () => unknown): number {
  for (let count = 0; count < 100; count += 1) {
    try {
      attempt();
    } catch {
      return count;
    }
  }
  return 100;
}

const waitOf = (attempt: () => unknown): unknown => {
  try {
    attempt();
    return 0;
  } catch (error) {
    return (error as { details: { retryAfter: number } }).details.retryAfter;
  }
};

describe('login throttle', () => {
  it('allows ten failures per user, then doubles the wait up to a minute', () => {
    const clock = new FakeClock();
    const throttle = new LoginThrottle(clock);
    let address = 0;
    const guess = () => throttle.begin('ann', `10.0.0.${(address += 1)}`);
    expect(failUntilClosed(guess)).toBe(10);
    const waits: unknown[] = [];
    for (let index = 0; index < 9; index += 1) {
      const wait = waitOf(guess) as number;
      waits.push(wait);
      clock.advance(wait * 1000);
      guess();
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
    throttle.begin('bob', '10.0.1.1');
  });

  it('allows thirty failures per address, for any names', () => {
    const clock = new FakeClock();
    const throttle = new LoginThrottle(clock);
    let name = 0;
    expect(failUntilClosed(() => throttle.begin(`user${(name += 1)}`, '10.0.0.1'))).toBe(30);
    expect(waitOf(() => throttle.begin('ann', '10.0.0.1'))).toBe(1);
    throttle.begin('ann', '10.0.0.2');
  });

  it('treats the addresses of one network as one', () => {
    const throttle = new LoginThrottle(new FakeClock());
    let host = 0;
    expect(failUntilClosed(() => throttle.begin(`u${(host += 1)}`, `2001:db8:1:2::${host}`))).toBe(30);
    throttle.begin('ann', '2001:db8:1:3::1');
    expect(waitOf(() => throttle.begin('ann', '2001:0db8:1:2:ffff:ffff:ffff:1'))).toBe(1);
  });

  it('clears a user’s failures on login, and all failures after 15 minutes', () => {
    const clock = new FakeClock();
    const throttle = new LoginThrottle(clock);
    for (let index = 0; index < 9; index += 1) throttle.begin('ann', undefined);
    throttle.begin('ann', undefined).succeed();
    for (let index = 0; index < 10; index += 1) throttle.begin('ann', undefined);
    expect(waitOf(() => throttle.begin('ann', undefined))).toBe(1);
    clock.advance(15 * 60_000 + 1);
    expect(failUntilClosed(() => throttle.begin('ann', undefined))).toBe(10);
  });

  it('is not reset by logging in to the attacker’s own account', () => {
    const clock = new FakeClock();
    const throttle = new LoginThrottle(clock);
    let name = 0;
    const guesses = failUntilClosed(() => {
      throttle.begin(`user${(name += 1)}`, '10.0.0.1');
      throttle.begin('mallory', '10.0.0.1').succeed();
    });
    expect(guesses).toBeLessThan(40);
  });

  it('remembers a limited number', () => {
    const throttle = new LoginThrottle(new FakeClock());
    for (let index = 0; index < maxRemembered + 500; index += 1) throttle.begin(`user${index}`, undefined);
    expect(throttle.size).toBe(maxRemembered);
  });
});

describe('login', () => {
  it('counts concurrent guesses', async () => {
    const { auth } = makeAuth();
    await auth.users.create({ username: 'ann', password: 'correct horse', role: 'admin' });
    const guesses = Array.from({ length: 30 }, (_, index) => auth.login('ann', `guess ${index}`, '10.0.0.1'));
    const codes = (await Promise.allSettled(guesses)).map((result) =>
      result.status === 'rejected' ? (result.reason as { code: string }).code : 'in',
    );
    expect(codes.filter((code) => code === 'unauthorized')).toHaveLength(10);
    expect(codes.filter((code) => code === 'too_many_requests')).toHaveLength(20);
  });

  it('takes as long for an unknown user', async () => {
    const { auth } = makeAuth();
    await expect(auth.login('nobody', 'correct horse')).rejects.toThrow('Wrong username or password.');
  });

  it('is rejected with a reason where there is none', async () => {
    await expect(makeAuth({ mode: 'none' }).auth.login('ann', 'x')).rejects.toThrow(/AUTH_MODE is none/);
    await expect(makeAuth({ mode: 'oidc' }).auth.login('ann', 'x')).rejects.toThrow(/identity provider/);
  });
});
