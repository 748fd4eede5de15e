import { execFileSync } from 'node:child_process';
import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { importPKCS8, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { GatewayError } from '../../../core/gateway/gateway-error.ts';
import { TokenVerifier } from '../../../core/gateway/tokens.ts';
import { FakeClock } from '../../harness/fakes.ts';

const open = (jwtKey: string): TokenVerifier =>
  new TokenVerifier({ jwtKey, jwtRoleClaim: '.role' }, new FakeClock());

const pem = (key: KeyObject): string =>
  key.export({ format: 'pem', type: key.type === 'private' ? 'pkcs8' : 'spki' }).toString();

async function sign(key: KeyObject, alg: string): Promise<string> {
  return new SignJWT({ role: 'reader' }).setProtectedHeader({ alg }).sign(await importPKCS8(pem(key), alg));
}

/** A token that anyone with the public key can create. */
function forge(secret: string | Buffer): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${encode({ alg: 'HS256' })}.${encode({ role: 'postgres' })}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

/** A private key, and a self-signed certificate of it. */
const made = execFileSync(
  'openssl',
  ['req', '-new', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=test', '-keyout', '-', '-out', '-'],
  { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
);
const certificate = made.slice(made.indexOf('-----BEGIN CERTIFICATE'));
const privateKey = createPrivateKey(made);
const rsa = { privateKey, publicKey: createPublicKey(privateKey) };
const der = rsa.publicKey.export({ format: 'der', type: 'spki' });
const pkcs1 = rsa.publicKey.export({ format: 'pem', type: 'pkcs1' }).toString();
const jwk = JSON.stringify(rsa.publicKey.export({ format: 'jwk' }));

const certificateBody = certificate.replaceAll(/-----[^-]+-----/g, '').trim();

describe('a public key as gateway.jwtKey', () => {
  it.each([
    ['PEM', pem(rsa.publicKey)],
    ['PEM of PKCS #1', pkcs1],
    ['PEM with escaped line breaks', pem(rsa.publicKey).replaceAll('\n', '\\n')],
    ['base64 of PEM', Buffer.from(pem(rsa.publicKey)).toString('base64')],
    ['base64 of DER', der.toString('base64')],
    ['a certificate', certificate],
    ['the base64 body of a certificate', certificateBody],
    ['the base64 body of a certificate on one line', certificateBody.replaceAll('\n', '')],
    ['a JWK', jwk],
    ['base64 of a JWK', Buffer.from(jwk).toString('base64')],
    ['an array of JWKs', `[${jwk}]`],
    ['a JWK set with a byte order mark', `\uFEFF{"keys":[${jwk}]}`],
  ])('verifies signatures, and is not an HMAC secret: %s', async (_, jwtKey) => {
    const verifier = open(jwtKey);
    for (const alg of ['RS256', 'RS384', 'RS512', 'PS256', 'PS512'])
      expect(await verifier.verify(await sign(rsa.privateKey, alg))).toMatchObject({ role: 'reader' });
    for (const secret of [jwtKey, jwtKey.trim(), `${jwtKey.trim()}\n`, der, pem(rsa.publicKey)])
      await expect(verifier.verify(forge(secret))).rejects.toThrow(GatewayError);
  });

  it.each([
    ['ES256', generateKeyPairSync('ec', { namedCurve: 'P-256' }), 'ES384'],
    ['ES384', generateKeyPairSync('ec', { namedCurve: 'P-384' }), 'ES256'],
    ['ES512', generateKeyPairSync('ec', { namedCurve: 'P-521' }), 'ES256'],
    ['EdDSA', generateKeyPairSync('ed25519'), 'ES256'],
  ])('accepts only the algorithm of its type: %s', async (alg, pair, other) => {
    const verifier = open(pem(pair.publicKey));
    const token = await sign(pair.privateKey, alg);
    expect(await verifier.verify(token)).toMatchObject({ role: 'reader' });
    const [, ...rest] = token.split('.');
    const header = Buffer.from(JSON.stringify({ alg: other })).toString('base64url');
    await expect(verifier.verify([header, ...rest].join('.'))).rejects.toThrow(GatewayError);
  });
});

describe('gateway.jwtKey rejects', () => {
  const small = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const ssh = 'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQDA someone@example.com';
  const secret = Buffer.from(pem(rsa.publicKey)).toString('base64url');
  it.each([
    ['a private key', pem(rsa.privateKey), 'is a private key'],
    ['base64 of a private key', Buffer.from(pem(rsa.privateKey)).toString('base64'), 'is a private key'],
    [
      'base64 of a private key in DER',
      rsa.privateKey.export({ format: 'der', type: 'pkcs1' }).toString('base64'),
      'is a private key',
    ],
    ['two keys in PEM', pem(rsa.publicKey) + certificate, 'contains 2 PEM blocks'],
    ['truncated PEM', pem(rsa.publicKey).slice(0, 200), 'contains no readable public key or certificate'],
    [
      'a certificate request',
      certificate.replaceAll('CERTIFICATE', 'CERTIFICATE REQUEST'),
      'no readable public key',
    ],
    ['an RSA key of 1024 bits', pem(small.publicKey), 'an RSA key of 1024 bits. Use at least 2048.'],
    ['X25519', pem(generateKeyPairSync('x25519').publicKey), 'a key of type x25519'],
    [
      'secp256k1',
      pem(generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey),
      'a key of type ec secp256k1',
    ],
    ['an OpenSSH key', ssh, 'is an OpenSSH public key'],
    ['a URL', 'https://login.example.com/.well-known/jwks.json', 'is a URL'],
    ['a file path', '/etc/stepwright/keys/public-key-of-the-provider.pem', 'is a file path'],
    ['an oct key made of PEM', JSON.stringify({ kty: 'oct', k: secret }), '"k" is a public or private key'],
    [
      'an oct key made of DER',
      JSON.stringify({ kty: 'oct', k: der.toString('base64url') }),
      '"k" is a public or private key',
    ],
    [
      'an RSA key for HS256',
      JSON.stringify({ ...(JSON.parse(jwk) as object), alg: 'HS256' }),
      '"alg" HS256 does not match',
    ],
    ['a JWK without a modulus', '{"kty":"RSA","e":"AQAB"}', 'contains an invalid key (key 1)'],
    [
      'only keys for encryption',
      JSON.stringify({ ...(JSON.parse(jwk) as object), use: 'enc' }),
      'contains no signature verification key',
    ],
  ])('%s', (_, jwtKey, message) => {
    expect(() => open(jwtKey)).toThrow(message);
  });
});

it('a secret next to public keys verifies HMAC only', async () => {
  const secret = 'a secret of at least 32 characters';
  const keys = [
    { kty: 'oct', k: Buffer.from(secret).toString('base64url'), kid: 'same' },
    { ...createPublicKey(pem(rsa.publicKey)).export({ format: 'jwk' }), kid: 'same' },
  ];
  const verifier = open(JSON.stringify({ keys }));
  expect(await verifier.verify(await sign(rsa.privateKey, 'RS256'))).toMatchObject({ role: 'reader' });
  expect(await verifier.verify(forge(secret))).toMatchObject({ role: 'postgres' });
  for (const known of [pem(rsa.publicKey), jwk, JSON.stringify({ keys }), der])
    await expect(verifier.verify(forge(known))).rejects.toThrow(GatewayError);
});

it('a secret in base64 stays a secret', async () => {
  const secret = Buffer.from([0x30, 0x82, ...Buffer.alloc(60, 7)]).toString('base64');
  expect(await open(secret).verify(forge(secret))).toMatchObject({ role: 'postgres' });
});
