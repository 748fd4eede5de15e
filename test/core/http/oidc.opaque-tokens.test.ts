import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  maxCachedTokens,
  OpaqueTokenVerifier,
  tokenCacheMs,
} from '../../../core/api/auth/oidc/opaque-token.ts';
import { retryAfterMs } from '../../../core/api/auth/oidc/provider.ts';
import { otherClient } from '../../harness/servers/oidc-provider.ts';
import { rolesByGroup, lastCaller, openOidcHarness, type OidcHarness } from './oidc-harness.ts';
import { silentLogger } from '../../harness/fakes.ts';

const show = async (harness: OidcHarness, token: string) => {
  const reply = await fetch(`${harness.url}/api/v2/dags`, { headers: { authorization: `Bearer ${token}` } });
  const body = (await reply.json()) as { code?: string; message?: string };
  return { status: reply.status, retryAfter: reply.headers.get('retry-after'), ...body };
};
const introspections = ({ provider }: OidcHarness): number =>
  provider.requests.filter((request) => request === 'POST /token/introspection').length;
const questions = ({ provider }: OidcHarness): number =>
  provider.requests.filter((request) => !request.includes('.well-known')).length;

describe('introspected opaque access tokens', () => {
  test('are credentials, and their claims are completed by userinfo', async () => {
    await using harness = await openOidcHarness();
    const token = await harness.provider.issueToken({ login: 'ada' });
    expect(token.value.split('.')).toHaveLength(1);
    expect(await show(harness, token.value)).toMatchObject({ status: 200 });
    expect(lastCaller(harness)).toMatchObject({
      name: 'ada',
      role: 'admin',
      user: { id: 'oidc:ada' },
      credential: { kind: 'oidc' },
    });
  });

  test('are introspected once a minute, also by concurrent requests', async () => {
    await using harness = await openOidcHarness();
    const token = await harness.provider.issueToken({ login: 'bob' });
    const replies = await Promise.all(Array.from({ length: 20 }, () => show(harness, token.value)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(introspections(harness)).toBe(1);
    await token.revoke();
    harness.clock.advance(tokenCacheMs - 1);
    expect((await show(harness, token.value)).status).toBe(200);
    harness.clock.advance(1);
    expect((await show(harness, token.value)).status).toBe(401);
    expect(introspections(harness)).toBe(2);
  });

  test('are never accepted past their expiry', async () => {
    await using harness = await openOidcHarness();
    const token = await harness.provider.issueToken({ login: 'bob', expiresInSec: 20 });
    expect((await show(harness, token.value)).status).toBe(200);
    harness.clock.advance(21_000);
    expect((await show(harness, token.value)).status).toBe(401);
  });

  test.each([
    ['tokens of another application', { login: 'ada', clientId: otherClient.id }, 401],
    ['refresh tokens', { login: 'ada', kind: 'RefreshToken' }, 401],
    ['tokens of users without a role', { login: 'eve' }, 403],
  ] as const)('%s are rejected', async (_, requests, status) => {
    await using harness = await openOidcHarness();
    const token = await harness.provider.issueToken(requests);
    expect((await show(harness, token.value)).status).toBe(status);
    expect(introspections(harness)).toBe(1);
    expect(harness.served.api.calls).toEqual([]);
  });

  test('unknown ones are rejected, also in parts, and rate limited', async () => {
    await using harness = await openOidcHarness();
    expect((await show(harness, 'a.b.c.d.e')).status).toBe(401);
    for (let guess = 0; guess < 29; guess += 1)
      expect((await show(harness, `guess-${guess}`)).status).toBe(401);
    expect(await show(harness, 'one-more')).toMatchObject({
      status: 429,
      code: 'too_many_requests',
      message: expect.stringContaining('Too many failed sign-in attempts. Try again in 1 s.'),
    });
    expect(introspections(harness)).toBe(30);
  });

  test('are cached up to a limit', async () => {
    await using harness = await openOidcHarness();
    const { clock, auth } = harness;
    const verifier = new OpaqueTokenVerifier(auth.provider!, clock, silentLogger);
    for (let count = 0; count <= maxCachedTokens; count += 1) {
      const { value: token } = await harness.provider.issueToken({ login: 'bob' });
      expect(await verifier.verify({ scheme: 'bearer', token }, {})).toMatchObject({ name: 'bob' });
    }
    expect(verifier.size).toBe(maxCachedTokens);
  });

  test('secrets of this server are not sent to the provider', async () => {
    await using harness = await openOidcHarness();
    const session = await harness.auth.issueSession({
      id: 'oidc:bob',
      username: 'bob',
      role: 'viewer',
      via: 'oidc',
    });
    harness.clock.advance(25 * 3600 * 1000);
    expect((await show(harness, session.token)).status).toBe(401);
    expect((await show(harness, 'swt_revoked')).status).toBe(401);
    expect(questions(harness)).toBe(0);
  });
});

describe('while the provider is unavailable, opaque tokens are rejected with a message, and it is not retried at once', () => {
  const refused = {
    status: 401,
    code: 'unauthorized',
    retryAfter: '3',
    message: expect.stringContaining('Cannot verify the token because the identity provider '),
  };

  test('when it is down from the start', async () => {
    await using harness = await openOidcHarness(rolesByGroup, { isDown: true });
    expect(await show(harness, 'some-token')).toMatchObject(refused);
    await harness.startProvider();
    const token = await harness.provider.issueToken({ login: 'ada' });
    expect(await show(harness, token.value)).toMatchObject(refused);
    expect(questions(harness)).toBe(0);
    harness.clock.advance(retryAfterMs);
    expect((await show(harness, token.value)).status).toBe(200);
  });

  test('when it fails later, and cached results remain valid', async () => {
    await using harness = await openOidcHarness();
    const known = await harness.provider.issueToken({ login: 'ada' });
    expect((await show(harness, known.value)).status).toBe(200);
    await harness.stopProvider();
    let asked = 0;
    const broken = createServer((_, response) => {
      asked += 1;
      response.writeHead(502).end('<h1>Bad gateway</h1>');
    }).listen(Number(new URL(harness.issuer).port), '127.0.0.1');
    await once(broken, 'listening');
    expect(await show(harness, 'some-token')).toMatchObject(refused);
    expect(await show(harness, 'another-token')).toMatchObject(refused);
    expect(asked).toBe(1);
    expect((await show(harness, known.value)).status).toBe(200);
    harness.clock.advance(tokenCacheMs);
    expect(await show(harness, known.value)).toMatchObject(refused);
    broken.closeAllConnections();
    broken.close();
  });

  test('when it rejects the client secret of this server', async () => {
    const warn = vi.spyOn(silentLogger, 'warn');
    onTestFinished(() => warn.mockRestore());
    await using harness = await openOidcHarness({ ...rolesByGroup, clientSecret: 'another one' });
    const token = await harness.provider.issueToken({ login: 'ada' });
    expect(await show(harness, token.value)).toMatchObject(refused);
    expect(warn.mock.lastCall?.[0]).toMatch(
      /rejects the client "stepwright" or its secret: check auth\.oidc\.clientId and AUTH_OIDC_CLIENT_SECRET$/,
    );
  });
});

describe('without introspection', () => {
  test.each([
    ['without a secret', { clientSecret: undefined }, {}],
    ['without an endpoint', {}, { withIntrospection: false }],
  ])('%s, userinfo decides if that is configured', async (_, oidc, options) => {
    await using harness = await openOidcHarness({ ...rolesByGroup, ...oidc, userinfoTokens: true }, options);
    const token = await harness.provider.issueToken({ login: 'bob' });
    expect((await show(harness, token.value)).status).toBe(200);
    expect((await show(harness, token.value)).status).toBe(200);
    expect(lastCaller(harness)).toMatchObject({ name: 'bob', role: 'operator' });
    expect(harness.provider.requests.filter((request) => request === 'GET /me')).toHaveLength(1);
    expect((await show(harness, 'unknown')).status).toBe(401);
  });

  test('userinfo is not used by default, as it does not report a token’s audience', async () => {
    await using harness = await openOidcHarness({ ...rolesByGroup, clientSecret: undefined });
    const token = await harness.provider.issueToken({ login: 'ada', clientId: otherClient.id });
    expect((await show(harness, token.value)).status).toBe(401);
    expect(questions(harness)).toBe(0);
  });
});
