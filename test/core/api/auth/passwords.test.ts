import { expect, it } from 'vitest';
import {
  defaultPasswordCost,
  hashPassword,
  matchesHash,
  Passwords,
} from '../../../../core/api/auth/passwords.ts';
import { fastPasswordCost } from '../../../harness/engine.ts';

it('stores cost and salt with the hash, so that equal passwords have different hashes', async () => {
  const [one, two] = [
    await hashPassword('correct horse', fastPasswordCost),
    await hashPassword('correct horse', fastPasswordCost),
  ];
  expect(one).not.toBe(two);
  expect(await matchesHash('correct horse', one)).toBe(true);
  expect(await matchesHash('correct horse', two)).toBe(true);
  expect(await matchesHash('correct hors', one)).toBe(false);
});

it('normalizes Unicode input', async () => {
  expect(await matchesHash('pass\u0065\u0301', await hashPassword('pass\u00e9', fastPasswordCost))).toBe(
    true,
  );
});

it('matches only hashes in its own format', async () => {
  for (const hash of ['', 'x', '$2b$12$abc', '$scrypt$ln=4,r=1,p=1$$'])
    expect(await matchesHash('', hash)).toBe(false);
});

it('uses at least the recommended scrypt cost', async () => {
  const { logN, r, p } = defaultPasswordCost;
  expect(2 ** logN * r * p).toBeGreaterThanOrEqual(2 ** 15 * 8 * 3);
  expect(128 * 2 ** logN * r).toBeLessThanOrEqual(64 * 1024 * 1024);
  const passwords = new Passwords();
  const hash = await passwords.hash('correct horse');
  expect(hash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/);
  expect(await passwords.matches('correct horse', hash)).toBe(true);
});

it('limits concurrent hashing and rejects a flood', async () => {
  const passwords = new Passwords(fastPasswordCost);
  const results = await Promise.allSettled(
    Array.from({ length: 60 }, () => passwords.matches('x', undefined)),
  );
  const refused = results.filter((result) => result.status === 'rejected');
  expect(refused).toHaveLength(8);
  expect(refused[0]).toMatchObject({ reason: { code: 'too_many_requests', details: { retryAfter: 5 } } });
  expect(await passwords.matches('x', undefined)).toBe(false);
});
