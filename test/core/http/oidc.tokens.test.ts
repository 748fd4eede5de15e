import { describe, expect, test } from 'vitest';
import { testClient } from '../../harness/servers/oidc-provider.ts';
import { lastCaller, openOidcHarness, people, type OidcHarness } from './oidc-harness.ts';

describe('provider tokens', () => {
  const claimsOf = (harness: OidcHarness, more: object = {}) => ({
    iss: harness.issuer,
    aud: testClient.id,
    sub: 'ada',
    exp: Math.floor(harness.clock.now() / 1000) + 600,
    iat: Math.floor(harness.clock.now() / 1000),
    ...people.ada,
    ...more,
  });
  const show = (harness: OidcHarness, token: string) =>
    fetch(`${harness.url}/api/v2/dags`, { headers: { authorization: `Bearer ${token}` } });

  test('are credentials, and its keys are fetched once', async () => {
    await using harness = await openOidcHarness();
    for (const sub of ['ada', 'ada2', 'ada3'])
      expect((await show(harness, await harness.provider.signToken(claimsOf(harness, { sub })))).status).toBe(
        200,
      );
    expect(lastCaller(harness)).toMatchObject({ name: 'ada', role: 'admin', user: { id: 'oidc:ada3' } });
    expect(harness.provider.requests.filter((request) => request === 'GET /jwks')).toHaveLength(1);
  });

  test.each([
    ['expired', { exp: 1_000_000_000 }, 401],
    ['for another audience', { aud: 'another-client' }, 401],
    ['without an expiry', { exp: undefined }, 401],
    ['not yet valid', { nbf: 32_503_680_000 }, 401],
    ['by another issuer', { iss: 'http://127.0.0.1:1' }, 401],
    ['of a user without a role', { groups: ['guests'] }, 403],
  ])('%s are rejected', async (_, more, status) => {
    await using harness = await openOidcHarness();
    const token = await harness.provider.signToken(claimsOf(harness, more));
    expect((await show(harness, token)).status).toBe(status);
    expect(harness.served.api.calls).toEqual([]);
  });

  test('with another signature are rejected', async () => {
    await using harness = await openOidcHarness();
    const [head, , signature] = (await harness.provider.signToken(claimsOf(harness))).split('.');
    const body = Buffer.from(JSON.stringify(claimsOf(harness, { sub: 'root' }))).toString('base64url');
    expect((await show(harness, `${head}.${body}.${signature}`)).status).toBe(401);
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    expect((await show(harness, `${none}.${body}.`)).status).toBe(401);
  });

  test('cannot be verified while it is down, which is not a rejection', async () => {
    await using harness = await openOidcHarness();
    const token = await harness.provider.signToken(claimsOf(harness));
    await harness.stopProvider();
    const reply = await show(harness, token);
    expect([reply.status, await reply.json()]).toMatchObject([503, { code: 'unavailable' }]);
  });
});
