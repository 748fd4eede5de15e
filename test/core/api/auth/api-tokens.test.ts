import { readFileSync, rmSync, statSync, mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Credentials } from '../../../../core/api/auth/identity.ts';
import { makeAuth } from './auth-harness.ts';

const bearer = (token: string): Credentials => ({ scheme: 'bearer', token });
const ann = { username: 'ann', password: 'correct horse', role: 'admin' } as const;
const bob = { username: 'bob', password: 'battery staple', role: 'manager' } as const;

describe('API tokens', () => {
  it('are shown once, and stored as a hash in a private file', async () => {
    const { auth, paths } = makeAuth();
    const { secret, token } = auth.tokens.create({ name: 'ci', role: 'operator' });
    expect(secret).toMatch(/^swt_[\w-]{43}$/);
    expect(token).not.toHaveProperty('hash');
    expect(token.hint).toBe(secret.slice(0, 8));
    const text = readFileSync(paths.tokens, 'utf8');
    expect(text).not.toContain(secret.slice(8));
    expect(statSync(paths.tokens).mode & 0o777).toBe(0o600);
    expect(await auth.authenticate(bearer(secret))).toMatchObject({
      name: 'token "ci"',
      role: 'operator',
      credential: { kind: 'token', id: token.id },
    });
    await expect(auth.authenticate(bearer(`${secret}x`))).rejects.toThrow('Invalid token.');
    await expect(auth.authenticate({ scheme: 'cookie', token: secret })).rejects.toThrow(/Invalid token\./);
  });

  it('end when they expire or are revoked', async () => {
    const { auth, clock } = makeAuth();
    const short = auth.tokens.create({ name: 'short', role: 'viewer', expiresInDays: 1 });
    const long = auth.tokens.create({ name: 'long', role: 'viewer' });
    clock.advance(24 * 3_600_000 - 1);
    await auth.authenticate(bearer(short.secret));
    clock.advance(1);
    await expect(auth.authenticate(bearer(short.secret))).rejects.toMatchObject({ code: 'unauthorized' });
    await auth.authenticate(bearer(long.secret));
    auth.tokens.delete(long.token.id);
    await expect(auth.authenticate(bearer(long.secret))).rejects.toMatchObject({ code: 'unauthorized' });
    expect(() => auth.tokens.delete(long.token.id)).toThrow(/Token ".*" not found/);
  });

  it('never exceed their owner’s role, and need an owner', async () => {
    const { auth } = makeAuth();
    await auth.users.create(ann);
    const owner = await auth.users.create(bob);
    const { secret } = auth.tokens.create({ name: 'ci', role: 'manager', owner });
    const roleNow = async () => (await auth.authenticate(bearer(secret))).role;
    expect(await roleNow()).toBe('manager');
    auth.users.update(owner.id, { role: 'viewer' });
    expect(await roleNow()).toBe('viewer');
    auth.users.update(owner.id, { role: 'admin' });
    expect(await roleNow()).toBe('manager');
    auth.deleteUser(owner.id);
    await expect(roleNow()).rejects.toMatchObject({ code: 'unauthorized' });
    expect(auth.tokens.list()).toEqual([]);
  });

  it('record their last use, at most once a minute', async () => {
    const { auth, clock } = makeAuth();
    const { secret } = auth.tokens.create({ name: 'ci', role: 'viewer' });
    const lastUse = () => auth.tokens.list()[0]!.lastUsedAt;
    expect(lastUse()).toBeUndefined();
    await auth.authenticate(bearer(secret));
    const first = clock.now();
    expect(lastUse()).toBe(first);
    clock.advance(59_999);
    await auth.authenticate(bearer(secret));
    expect(lastUse()).toBe(first);
    clock.advance(1);
    await auth.authenticate(bearer(secret));
    expect(lastUse()).toBe(first + 60_000);
  });

  it('work when the last use cannot be recorded', async () => {
    const { auth, paths, warnings } = makeAuth();
    const { secret } = auth.tokens.create({ name: 'ci', role: 'viewer' });
    rmSync(paths.lock);
    mkdirSync(paths.lock);
    await auth.authenticate(bearer(secret));
    expect(warnings).toEqual([expect.stringMatching(/^cannot record the last use of a token: /)]);
  });

  it('have a unique name per owner', async () => {
    const { auth } = makeAuth();
    const owner = await auth.users.create(ann);
    auth.tokens.create({ name: 'ci', role: 'viewer', owner });
    auth.tokens.create({ name: 'ci', role: 'viewer' });
    expect(() => auth.tokens.create({ name: 'ci', role: 'viewer', owner })).toThrow(
      /Token "ci" already exists\. Revoke it, or choose another name\./,
    );
    expect(() => auth.tokens.create({ name: '', role: 'viewer' })).toThrow(/name: must be 1 to 64/);
  });
});

describe('the username and password, and the token of the configuration', () => {
  const settings = { basic: { username: 'ops', password: 'pa:ss' }, token: { value: 'static-token' } };
  const basic = (username: string, password: string): Credentials => ({
    scheme: 'basic',
    username,
    password,
  });

  it.each(['none', 'builtin', 'oidc'] as const)('have the role admin in mode %s', async (mode) => {
    const { auth } = makeAuth({ ...settings, mode });
    expect(auth.isRequired).toBe(true);
    expect(await auth.authenticate(basic('ops', 'pa:ss'))).toMatchObject({ name: 'ops', role: 'admin' });
    expect(await auth.authenticate(bearer('static-token'))).toMatchObject({
      name: 'api-token',
      role: 'admin',
    });
    await expect(auth.authenticate(basic('ops', 'pa:s'))).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(auth.authenticate(basic('op', 'pa:ss'))).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(auth.authenticate(bearer('static-toke'))).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('are rate limited', async () => {
    const { auth, clock } = makeAuth({ ...settings, mode: 'none' });
    const guess = () => auth.authenticate(basic('ops', 'wrong'), { address: '10.0.0.1' });
    for (let index = 0; index < 10; index += 1)
      await expect(guess()).rejects.toMatchObject({ code: 'unauthorized' });
    const right = () => auth.authenticate(basic('ops', 'pa:ss'), { address: '10.0.0.2' });
    await expect(right()).rejects.toMatchObject({ code: 'too_many_requests', details: { retryAfter: 1 } });
    clock.advance(1000);
    await right();
  });
});

describe('basic authentication of users', () => {
  const basic = (password: string): Credentials => ({ scheme: 'basic', username: 'Bob', password });

  it('works in mode builtin only, and ends with the password', async () => {
    const { auth, home } = makeAuth();
    await auth.users.create(ann);
    const { id } = await auth.users.create(bob);
    for (let index = 0; index < 3; index += 1)
      expect(await auth.authenticate(basic(bob.password))).toMatchObject({
        name: 'bob',
        role: 'manager',
        user: { id },
      });
    const others = makeAuth({ mode: 'none', token: { value: 'x' } }, home);
    await expect(others.auth.authenticate(basic(bob.password))).rejects.toMatchObject({
      code: 'unauthorized',
    });
    await auth.users.setPassword(id, 'another staple');
    await expect(auth.authenticate(basic(bob.password))).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await auth.authenticate(basic('another staple'))).toMatchObject({ name: 'bob' });
    auth.deleteUser(id);
    await expect(auth.authenticate(basic('another staple'))).rejects.toMatchObject({ code: 'unauthorized' });
  });
});
