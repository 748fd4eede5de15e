import { describe, expect, test } from 'vitest';
import { testClient } from '../../../rig/servers/oidc-provider.ts';
import { lastCaller, openHouse, people, type House } from './oidc-house.ts';

describe('tokens of the provider', () => {
  const claimsOf = (house: House, more: object = {}) => ({
    iss: house.issuer,
    aud: testClient.id,
    sub: 'ada',
    exp: Math.floor(house.clock.now() / 1000) + 600,
    iat: Math.floor(house.clock.now() / 1000),
    ...people.ada,
    ...more,
  });
  const show = (house: House, token: string) =>
    fetch(`${house.url}/api/v2/dags`, { headers: { authorization: `Bearer ${token}` } });

  test('are credentials, and its keys are asked for once', async () => {
    await using house = await openHouse();
    for (const sub of ['ada', 'ada2', 'ada3'])
      expect((await show(house, await house.provider.signToken(claimsOf(house, { sub })))).status).toBe(200);
    expect(lastCaller(house)).toMatchObject({ name: 'ada', role: 'admin', user: { id: 'oidc:ada3' } });
    expect(house.provider.requests.filter((request) => request === 'GET /jwks')).toHaveLength(1);
  });

  test.each([
    ['expired', { exp: 1_000_000_000 }, 401],
    ['for somebody else', { aud: 'another-client' }, 401],
    ['without an end', { exp: undefined }, 401],
    ['not yet valid', { nbf: 32_503_680_000 }, 401],
    ['of another issuer', { iss: 'http://127.0.0.1:1' }, 401],
    ['of somebody without a role', { groups: ['guests'] }, 403],
  ])('%s are refused', async (_, more, status) => {
    await using house = await openHouse();
    const token = await house.provider.signToken(claimsOf(house, more));
    expect((await show(house, token)).status).toBe(status);
    expect(house.served.api.calls).toEqual([]);
  });

  test('with another signature are refused', async () => {
    await using house = await openHouse();
    const [head, , signature] = (await house.provider.signToken(claimsOf(house))).split('.');
    const body = Buffer.from(JSON.stringify(claimsOf(house, { sub: 'root' }))).toString('base64url');
    expect((await show(house, `${head}.${body}.${signature}`)).status).toBe(401);
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    expect((await show(house, `${none}.${body}.`)).status).toBe(401);
  });

  test('cannot be judged while it is down, which is no judgement', async () => {
    await using house = await openHouse();
    const token = await house.provider.signToken(claimsOf(house));
    await house.stopProvider();
    const reply = await show(house, token);
    expect([reply.status, await reply.json()]).toMatchObject([503, { code: 'unavailable' }]);
  });
});
