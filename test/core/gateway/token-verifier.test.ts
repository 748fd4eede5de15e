import { exportJWK, generateKeyPair, SignJWT, type JWK, type JWTPayload } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { GatewayError } from '../../../core/gateway/gateway-error.ts';
import { TokenVerifier, type TokenSettings } from '../../../core/gateway/tokens.ts';
import { FakeClock } from '../../harness/fakes.ts';

const SECRET = 'reallyreallyreallyreallyverysafe';

const clock = new FakeClock();
const now = clock.now() / 1000;

const open = (settings: Partial<TokenSettings> = {}): TokenVerifier =>
  new TokenVerifier({ jwtKey: SECRET, jwtRoleClaim: '.role', ...settings }, clock);

const sign = (payload: JWTPayload, secret = SECRET, alg = 'HS256'): Promise<string> =>
  new SignJWT(payload).setProtectedHeader({ alg }).sign(new TextEncoder().encode(secret));

const encode = (text: string): string => Buffer.from(text).toString('base64url');

/** The error that a token is rejected with. */
async function thrownBy(verifier: TokenVerifier, token: string): Promise<GatewayError> {
  try {
    await verifier.verify(token);
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
  throw new Error('The token was taken');
}

describe('a token signed by a secret', () => {
  it.each(['HS256', 'HS384', 'HS512'])('returns role and claims: %s', async (alg) => {
    const verifier = open({ jwtKey: SECRET.repeat(2) });
    expect(await verifier.verify(await sign({ role: 'author', n: 1 }, SECRET.repeat(2), alg))).toEqual({
      role: 'author',
      claims: '{"role":"author","n":1}',
    });
  });

  it('keeps all digits of its claims', async () => {
    const { CompactSign } = await import('jose');
    const claims = '{"role":"a","id":12345678901234567890.10}';
    const token = await new CompactSign(new TextEncoder().encode(claims))
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(SECRET));
    expect((await open().verify(token)).claims).toBe(claims);
  });

  it('needs no role', async () => {
    expect(await open().verify(await sign({ sub: 'x' }))).toEqual({ claims: '{"sub":"x"}' });
  });

  it.each([
    ['.role', { role: 'a' }],
    ['.resource_access.api.roles[0]', { resource_access: { api: { roles: ['a', 'b'] } } }],
    ['."https://example.com/role"', { 'https://example.com/role': 'a' }],
  ])('has its role at %s', async (jwtRoleClaim, payload) => {
    expect(await open({ jwtRoleClaim }).verify(await sign(payload))).toMatchObject({ role: 'a' });
  });

  it.each([
    ['signed by another secret', () => sign({ role: 'a' }, 'x'.repeat(32))],
    ['of two parts', () => Promise.resolve('a.b')],
    ['empty', () => Promise.resolve('')],
    ['without a header', () => Promise.resolve('a.b.c')],
    ['without a signature', () => Promise.resolve(`${encode('{"alg":"none"}')}.${encode('{"role":"a"}')}.`)],
    [
      'with changed claims',
      async () => (await sign({ role: 'a' })).replace(/\.[^.]+\./, `.${encode('{"role":"b"}')}.`),
    ],
  ])('is rejected when it is %s', async (_, make) => {
    const error = await thrownBy(open(), await make());
    expect(error).toMatchObject({ status: 401, code: 'PGRST301' });
    expect(error.headers['www-authenticate']).toMatch(
      /^Bearer error="invalid_token", error_description="[^"]+"$/,
    );
  });
});

it.each([[{ invalid: 'value' }], [[{ invalid: 'value' }, 'test']]])(
  'rejects a token for the audience %j, also while no audience is configured',
  async (aud) => {
    const token = await sign({ role: 'a', aud: aud as unknown as string });
    expect(await thrownBy(open(), token)).toMatchObject({
      status: 401,
      code: 'PGRST303',
      message: "The JWT 'aud' claim must be a string or an array of strings",
    });
  },
);

describe('token claims', () => {
  it.each<[string, JWTPayload]>([
    ['it ended less than 30 s ago', { exp: now - 29 }],
    ['it begins in less than 30 s', { nbf: now + 29, iat: now + 29 }],
    ['it names no audience', {}],
    ['it is for this audience', { aud: 'api' }],
    ['it is for this audience among others', { aud: ['web', 'api'] }],
    ['it has an empty audience', { aud: [] }],
  ])('are valid when %s', async (_, payload) => {
    const verifier = open({ jwtAudience: 'api' });
    expect(await verifier.verify(await sign({ role: 'a', ...payload }))).toMatchObject({ role: 'a' });
  });

  it.each<[string, JWTPayload]>([
    ['JWT expired', { exp: now - 31 }],
    ['JWT not yet valid', { nbf: now + 31 }],
    ['JWT issued at future', { iat: now + 31 }],
    ['JWT not in audience', { aud: 'web' }],
    ['JWT not in audience', { aud: ['web'] }],
    ["The JWT 'exp' claim must be a number", { exp: 'soon' as unknown as number }],
    ["The JWT 'aud' claim must be a string or an array of strings", { aud: 5 as unknown as string }],
    ['The role claim is not a non-empty string', { role: 5 }],
    ['The role claim is not a non-empty string', { role: '' }],
  ])('are invalid: %s', async (message, payload) => {
    const error = await thrownBy(open({ jwtAudience: 'api' }), await sign(payload));
    expect(error).toMatchObject({ status: 401, code: 'PGRST303', message });
  });

  it('expire', async () => {
    const later = new FakeClock();
    const verifier = new TokenVerifier({ jwtKey: SECRET, jwtRoleClaim: '.role' }, later);
    const token = await sign({ role: 'a', exp: later.now() / 1000 + 60 });
    expect(await verifier.verify(token)).toMatchObject({ role: 'a' });
    later.advance(91_000);
    expect(await thrownBy(verifier, token)).toMatchObject({ code: 'PGRST303' });
  });
});

describe('keys of a set', () => {
  const signed = new Map<string, string>();
  const publicKeys: JWK[] = [];

  beforeAll(async () => {
    for (const alg of ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA']) {
      const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
      publicKeys.push({ ...(await exportJWK(publicKey)), kid: alg });
      signed.set(
        alg,
        await new SignJWT({ role: alg }).setProtectedHeader({ alg, kid: alg }).sign(privateKey),
      );
      signed.set(
        `${alg} unnamed`,
        await new SignJWT({ role: alg }).setProtectedHeader({ alg }).sign(privateKey),
      );
      signed.set(
        `${alg} misnamed`,
        await new SignJWT({ role: alg }).setProtectedHeader({ alg, kid: 'x' }).sign(privateKey),
      );
    }
  });

  it.each(['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'])('are found for %s', async (alg) => {
    const verifier = open({ jwtKey: JSON.stringify({ keys: publicKeys }) });
    expect(await verifier.verify(signed.get(alg)!)).toMatchObject({ role: alg });
    expect(await verifier.verify(signed.get(`${alg} unnamed`)!)).toMatchObject({ role: alg });
    expect(await thrownBy(verifier, signed.get(`${alg} misnamed`)!)).toMatchObject({ code: 'PGRST301' });
  });

  it('can be a single one, or a secret', async () => {
    expect(await open({ jwtKey: JSON.stringify(publicKeys[0]) }).verify(signed.get('RS256')!)).toMatchObject({
      role: 'RS256',
    });
    const secret = JSON.stringify({ kty: 'oct', k: encode(SECRET), alg: 'HS256' });
    expect(await open({ jwtKey: secret }).verify(await sign({ role: 'a' }))).toMatchObject({ role: 'a' });
  });

  it('are never used as secrets', async () => {
    const jwtKey = JSON.stringify(publicKeys[0]);
    expect(await thrownBy(open({ jwtKey }), await sign({ role: 'a' }, jwtKey))).toMatchObject({
      code: 'PGRST301',
      message: 'No suitable key or wrong key type',
    });
  });
});

describe('token settings', () => {
  it.each([
    [{ jwtKey: 'short' }, 'is a secret of 5 characters. Use at least 32.'],
    [{ jwtKey: '{"kty":' }, 'starts with "{" but is not JSON'],
    [{ jwtKey: '{"keys":[]}' }, 'contains no signature verification key'],
    [{ jwtKey: '{"keys":[{"kty":"x"}]}' }, '(key 1): "kty" must be one of oct, RSA, EC, OKP'],
    [{ jwtKey: '{"keys":[null]}' }, '(key 1): "kty" must be one of oct, RSA, EC, OKP'],
    [{ jwtKey: '{"kty":"oct","k":"c2hvcnQ"}' }, '(key 1): "k" is 5 bytes. Use at least 32.'],
    [{ jwtRoleClaim: 'role' }, 'Invalid claim path "role". Use a path such as .role or .roles[0]'],
    [{ jwtRoleClaim: '' }, 'Invalid claim path "". Use a path such as .role or .roles[0]'],
  ])('are rejected: %j', (settings, message) => {
    expect(() => open(settings)).toThrow(message);
  });
});
