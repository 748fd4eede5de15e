import { importJWK, type JWK } from 'jose';
import type { webcrypto } from 'node:crypto';

type Key = webcrypto.CryptoKey | Uint8Array;

/** What signatures are checked by. */
export interface TokenKey {
  readonly id?: string;
  /** Such as `RS256`; absent when any of its kind will do. */
  readonly algorithm?: string;
  readonly kind: KeyKind;
  /** @param algorithm of the token: keys are made for one */
  load(algorithm: string): Promise<Key>;
}

const kinds = ['oct', 'RSA', 'EC', 'OKP'] as const;

type KeyKind = (typeof kinds)[number];

/** So long must a secret be, in characters: the shortest signature has 256 bits. */
const MIN_SECRET_LENGTH = 32;

/**
 * Reads `gateway.jwtKey`: a secret, a JWK or a set of them.
 * @throws Error that says what is wrong with it
 */
export function readTokenKeys(text: string): readonly TokenKey[] {
  if (!text.trimStart().startsWith('{')) return [ofSecret(text)];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('The key of tokens begins like a JWK, but is no JSON');
  }
  const { keys } = value as { keys?: unknown };
  const list = Array.isArray(keys) ? keys : [value];
  if (list.length === 0) throw new Error('The set of keys for tokens is empty');
  return list.map((jwk: unknown, index) => ofJwk(jwk as JWK, index));
}

function ofSecret(secret: string): TokenKey {
  if (secret.length < MIN_SECRET_LENGTH)
    throw new Error(`The secret of tokens must have at least ${MIN_SECRET_LENGTH} characters`);
  const bytes = new TextEncoder().encode(secret);
  return { kind: 'oct', load: () => Promise.resolve(bytes) };
}

function ofJwk(jwk: JWK, index: number): TokenKey {
  const kind = kinds.find((each) => each === jwk?.kty);
  if (kind === undefined) throw new Error(`Key ${index + 1} for tokens has no kty of oct, RSA, EC or OKP`);
  if (kind === 'oct' && Buffer.from(jwk.k ?? '', 'base64url').length < MIN_SECRET_LENGTH)
    throw new Error(`Key ${index + 1} for tokens must have at least ${MIN_SECRET_LENGTH} bytes`);
  const loaded = new Map<string, Promise<Key>>();
  return {
    kind,
    ...(typeof jwk.kid === 'string' ? { id: jwk.kid } : {}),
    ...(typeof jwk.alg === 'string' ? { algorithm: jwk.alg } : {}),
    load(algorithm) {
      const known = loaded.get(algorithm);
      if (known !== undefined) return known;
      // Of a private key, which somebody may have put here, only the public half is needed.
      const key = importJWK(kind === 'oct' ? jwk : publicHalf(jwk), algorithm) as Promise<Key>;
      loaded.set(algorithm, key);
      return key;
    },
  };
}

function publicHalf(jwk: JWK): JWK {
  const names = ['kty', 'n', 'e', 'crv', 'x', 'y'];
  return Object.fromEntries(Object.entries(jwk).filter(([name]) => names.includes(name)));
}

/** Which kind of key an algorithm takes; undefined for one that is not taken. */
export function kindOfAlgorithm(algorithm: string): KeyKind | undefined {
  if (/^HS(256|384|512)$/.test(algorithm)) return 'oct';
  if (/^[RP]S(256|384|512)$/.test(algorithm)) return 'RSA';
  if (/^ES(256|384|512)$/.test(algorithm)) return 'EC';
  return algorithm === 'EdDSA' || algorithm === 'Ed25519' ? 'OKP' : undefined;
}
