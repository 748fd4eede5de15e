import { readFileSync, statSync } from 'node:fs';
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { openKeyFile, SigningKeys } from '../../../../core/api/auth/signing-keys.ts';
import type { Credentials } from '../../../../core/api/auth/identity.ts';
import { type AuthRig, makeAuth } from './auth-harness.ts';

const ann = { username: 'ann', password: 'correct horse', role: 'admin' } as const;
const bob = { username: 'bob', password: 'battery staple', role: 'operator' } as const;
const bearer = (token: string): Credentials => ({ scheme: 'bearer', token });

async function loginBob(rig: AuthRig) {
  await rig.auth.users.create(ann);
  const user = await rig.auth.users.create(bob);
  const { token, expiresAt } = await rig.auth.login('bob', bob.password);
  return { user, token, expiresAt };
}

describe('session', () => {
  it('is a token with subject, times and id, signed with HS256', async () => {
    const rig = makeAuth();
    const { token, user, expiresAt } = await loginBob(rig);
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'HS256', typ: 'JWT' });
    const now = rig.clock.now() / 1000;
    expect(decodeJwt(token)).toMatchObject({
      sub: user.id,
      iat: now,
      exp: now + 24 * 3600,
      iss: 'stepwright',
    });
    expect(expiresAt).toBe(rig.clock.now() + 24 * 3600 * 1000);
    expect(await rig.auth.authenticate(bearer(token))).toMatchObject({
      name: 'bob',
      role: 'operator',
      user: { id: user.id },
      credential: { kind: 'session', expiresAt },
    });
  });

  it('has its key in a file that only the owner can read', async () => {
    const rig = makeAuth();
    await loginBob(rig);
    expect(statSync(rig.paths.key).mode & 0o777).toBe(0o600);
  });

  it('expires', async () => {
    const rig = makeAuth({ builtin: { tokenTtl: 60 } });
    const { token } = await loginBob(rig);
    rig.clock.advance(59_000);
    await rig.auth.authenticate(bearer(token));
    rig.clock.advance(1_000);
    await expect(rig.auth.authenticate(bearer(token))).rejects.toThrow(
      'The session has expired. Sign in again.',
    );
  });

  it('has the current role of the user', async () => {
    const rig = makeAuth();
    const { token, user } = await loginBob(rig);
    rig.auth.users.update(user.id, { role: 'viewer', username: 'robert' });
    expect(await rig.auth.authenticate(bearer(token))).toMatchObject({ name: 'robert', role: 'viewer' });
  });

  it('is valid in other processes of the home, but not in another home', async () => {
    const rig = makeAuth();
    const { token } = await loginBob(rig);
    expect(await makeAuth({}, rig.home).auth.authenticate(bearer(token))).toMatchObject({ name: 'bob' });
    await expect(makeAuth().auth.authenticate(bearer(token))).rejects.toThrow('The session is invalid.');
  });

  it('is invalid when its signature is missing, or uses another key or algorithm', async () => {
    const rig = makeAuth();
    const { token } = await loginBob(rig);
    const [header = '', payload = '', signature = ''] = token.split('.');
    const none = Buffer.from(JSON.stringify({ ...decodeProtectedHeader(token), alg: 'none' })).toString(
      'base64url',
    );
    const claims = { ...decodeJwt(token) };
    const { kid } = decodeProtectedHeader(token);
    const sign = (alg: string, secret: string) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg, kid: String(kid) })
        .sign(Buffer.from(secret, 'base64url'));
    const { keys } = JSON.parse(readFileSync(rig.paths.key, 'utf8')) as { keys: { secret: string }[] };
    const secret = keys[0]!.secret;
    const forged = [
      `${none}.${payload}.`,
      `${none}.${payload}.${signature}`,
      `${header}.${payload}.`,
      `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
      await sign('HS256', 'A'.repeat(43)),
      await sign('HS512', secret + secret),
      await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(secret, 'base64url')),
    ];
    for (const wrong of forged)
      await expect(rig.auth.authenticate(bearer(wrong))).rejects.toMatchObject({
        code: 'unauthorized',
      });
    expect(await rig.auth.authenticate(bearer(await sign('HS256', secret)))).toMatchObject({ name: 'bob' });
  });

  it('ends when the mode changes', async () => {
    const rig = makeAuth();
    const { token } = await loginBob(rig);
    await expect(makeAuth({ mode: 'oidc' }, rig.home).auth.authenticate(bearer(token))).rejects.toThrow(
      /has ended/,
    );
  });
});

describe('ending sessions', () => {
  it('ends one session on logout, in every process and after a restart', async () => {
    const rig = makeAuth();
    const { token } = await loginBob(rig);
    const other = await rig.auth.login('bob', bob.password);
    const { credential } = await rig.auth.authenticate(bearer(token));
    rig.auth.endSession({ id: credential.id, expiresAt: credential.expiresAt! });
    for (const { auth } of [rig, makeAuth({}, rig.home)]) {
      await expect(auth.authenticate(bearer(token))).rejects.toThrow('The session has ended. Sign in again.');
      expect(await auth.authenticate(bearer(other.token))).toMatchObject({ name: 'bob' });
    }
  });

  it('forgets ended sessions once they have expired', async () => {
    const rig = makeAuth({ builtin: { tokenTtl: 60 } });
    await loginBob(rig);
    rig.auth.endSession({ id: 'one', expiresAt: rig.clock.now() + 60_000 });
    rig.clock.advance(60_000);
    rig.auth.endSession({ id: 'two', expiresAt: rig.clock.now() + 60_000 });
    const { ended } = JSON.parse(readFileSync(rig.paths.sessions, 'utf8')) as { ended: { id: string }[] };
    expect(ended.map(({ id }) => id)).toEqual(['two']);
  });

  it.each([
    ['logout everywhere', async (rig: AuthRig, id: string) => rig.auth.endUserSessions(id)],
    ['password reset', async (rig: AuthRig, id: string) => rig.auth.users.setPassword(id, 'another horse')],
    ['user deletion', async (rig: AuthRig, id: string) => rig.auth.deleteUser(id)],
  ])('ends all sessions on %s', async (_what, end) => {
    const rig = makeAuth();
    const { token, user } = await loginBob(rig);
    rig.clock.advance(1);
    const second = await rig.auth.login('bob', bob.password);
    await end(rig, user.id);
    for (const one of [token, second.token])
      await expect(rig.auth.authenticate(bearer(one))).rejects.toThrow(/has ended/);
  });

  it('does not end sessions started later, in the same millisecond or before the clock was set back', async () => {
    const rig = makeAuth();
    const { user } = await loginBob(rig);
    rig.auth.endUserSessions(user.id);
    const next = await rig.auth.login('bob', bob.password);
    expect(await rig.auth.authenticate(bearer(next.token))).toMatchObject({ name: 'bob' });
    rig.clock.jumpTo(rig.clock.now() - 3_600_000);
    const later = await rig.auth.login('bob', bob.password);
    expect(await rig.auth.authenticate(bearer(later.token))).toMatchObject({ name: 'bob' });
    rig.auth.endUserSessions(user.id);
    await expect(rig.auth.authenticate(bearer(later.token))).rejects.toThrow(/has ended/);
  });

  it('ends all sessions on password change, except the new one', async () => {
    const rig = makeAuth();
    const { token, user } = await loginBob(rig);
    const passwords = { current: bob.password, next: 'another staple' };
    await expect(rig.auth.changePassword(user.id, { ...passwords, current: 'wrong' })).rejects.toMatchObject({
      code: 'forbidden',
      message: 'The current password is wrong.',
    });
    const fresh = await rig.auth.changePassword(user.id, passwords);
    await expect(rig.auth.authenticate(bearer(token))).rejects.toThrow(/has ended/);
    expect(await rig.auth.authenticate(bearer(fresh.token))).toMatchObject({ name: 'bob' });
    await expect(rig.auth.login('bob', bob.password)).rejects.toMatchObject({ code: 'unauthorized' });
    await rig.auth.login('bob', 'another staple');
  });
});

describe('sessions of identity provider users', () => {
  const subject = { id: 'oidc:7', username: 'eve', role: 'manager', via: 'oidc' } as const;

  it('have the role they started with, and end individually or together', async () => {
    const { auth, clock } = makeAuth({ mode: 'oidc' });
    const { token } = await auth.issueSession(subject);
    expect(await auth.authenticate(bearer(token))).toMatchObject({
      name: 'eve',
      role: 'manager',
      user: { id: 'oidc:7' },
    });
    auth.endUserSessions(subject.id);
    await expect(auth.authenticate(bearer(token))).rejects.toThrow(/has ended/);
    const next = await auth.issueSession(subject);
    await auth.authenticate(bearer(next.token));
    clock.advance(24 * 3600 * 1000);
    await expect(auth.authenticate(bearer(next.token))).rejects.toThrow(/has expired/);
  });
});

describe('key rotation', () => {
  const getKeys = ({ paths, clock }: AuthRig) => new SigningKeys(openKeyFile(paths), clock);

  it('keeps sessions signed with the old key valid until they expire', async () => {
    const rig = makeAuth();
    const { token } = await loginBob(rig);
    const kid = getKeys(rig).rotate({ retentionSec: 3600 });
    await rig.auth.authenticate(bearer(token));
    const next = await rig.auth.login('bob', bob.password);
    expect(decodeProtectedHeader(next.token).kid).toBe(kid);
    rig.clock.advance(3_600_000);
    await expect(rig.auth.authenticate(bearer(token))).rejects.toThrow(
      /The session is invalid\. Sign in again\./,
    );
    await rig.auth.authenticate(bearer(next.token));
    getKeys(rig).rotate({ retentionSec: 3600 });
    const { keys } = JSON.parse(readFileSync(rig.paths.key, 'utf8')) as { keys: unknown[] };
    expect(keys).toHaveLength(2);
  });

  it('ends old sessions immediately on request', async () => {
    const rig = makeAuth();
    const { token } = await loginBob(rig);
    getKeys(rig).rotate({ retentionSec: 0 });
    await expect(rig.auth.authenticate(bearer(token))).rejects.toThrow(
      /The session is invalid\. Sign in again\./,
    );
  });
});
