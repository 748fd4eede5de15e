import type { webcrypto } from 'node:crypto';
import { compactVerify, decodeProtectedHeader, type ProtectedHeaderParameters, importJWK } from 'jose';
import type { Clock } from '../base/clock.ts';
import { getKeyType, type KeyType, parseJwtKey } from '../home/config/read-jwt-key.ts';
import type { GatewaySettings } from './gateway-settings.ts';
import { GatewayError } from './gateway-error.ts';

/** Result of verifying a token. */
export interface VerifiedToken {
  /** Role from the configured claim; absent if the token has none. */
  readonly role?: string;
  /** All claims as a JSON string, with all digits of numbers. */
  readonly claims: string;
}

export type TokenSettings = Pick<GatewaySettings, 'jwtAudience' | 'jwtRoleClaim'> & {
  readonly jwtKey: string;
};

/** Verifies the JSON Web Tokens of requests. */
export class TokenVerifier {
  readonly #keys: readonly TokenKey[];
  readonly #rolePath: readonly (string | number)[];
  readonly #audience: string | undefined;
  readonly #clock: Clock;

  /** @throws Error for invalid settings */
  constructor({ jwtKey, jwtAudience, jwtRoleClaim }: TokenSettings, clock: Clock) {
    this.#keys = readTokenKeys(jwtKey);
    const path = parseClaimPath(jwtRoleClaim);
    if (path === undefined)
      throw new Error(
        `Invalid claim path ${JSON.stringify(jwtRoleClaim)}. Use a path such as .role or .roles[0]`,
      );
    this.#rolePath = path;
    this.#audience = jwtAudience;
    this.#clock = clock;
  }

  /** @throws GatewayError PGRST301 for an invalid token, PGRST303 for invalid claims */
  async verify(token: string): Promise<VerifiedToken> {
    const text = await this.#open(token);
    const claims = readClaims(text);
    checkClaims(claims, { nowSec: Math.floor(this.#clock.now() / 1000), audience: this.#audience });
    const role = followClaimPath(claims, this.#rolePath) ?? undefined;
    if (role !== undefined && (typeof role !== 'string' || role === '' || role.includes('\0')))
      throw tokenError('PGRST303', 'The role claim is not a non-empty string');
    return { ...(role === undefined ? {} : { role }), claims: text };
  }

  /** Returns the payload after verifying the signature. */
  async #open(token: string): Promise<string> {
    const segmentCount = token.split('.', 10).length;
    if (segmentCount !== 3) throw tokenError('PGRST301', `Expected 3 parts in JWT; got ${segmentCount}`);
    const header = readHeader(token);
    const { alg = '' } = header;
    const candidates = this.#findKeys(header);
    for (const key of candidates) {
      try {
        const { payload } = await compactVerify(token, await key.load(alg), { algorithms: [alg] });
        return new TextDecoder('utf-8', { fatal: true }).decode(payload);
      } catch {
        // Try the next key.
      }
    }
    throw candidates.length > 0
      ? tokenError('PGRST301', 'No suitable key was found to decode the JWT', 'The signature is invalid.')
      : tokenError('PGRST301', 'No suitable key or wrong key type', `The token is signed with ${alg}.`);
  }

  /** Returns the keys with the token's key id, if any; else all keys of the right type. */
  #findKeys({ alg = '', kid }: ProtectedHeaderParameters): readonly TokenKey[] {
    const type = getKeyType(alg);
    const fitting = this.#keys.filter(
      (key) => key.type === type && (key.algorithm === undefined || key.algorithm === alg),
    );
    const named = fitting.filter((key) => kid !== undefined && key.id === kid);
    return named.length > 0 ? named : fitting.filter((key) => key.id === undefined || kid === undefined);
  }
}

function readHeader(token: string): ProtectedHeaderParameters {
  try {
    return decodeProtectedHeader(token);
  } catch {
    throw tokenError('PGRST301', 'The JWT header is invalid');
  }
}

type Claims = Readonly<Record<string, unknown>>;

/** Tolerated clock difference between issuer and engine, in seconds. */
const LEEWAY_SEC = 30;

/** @throws GatewayError PGRST303 */
function readClaims(payload: string): Claims {
  try {
    const value: unknown = JSON.parse(payload);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Claims;
  } catch {
    // The error is thrown below.
  }
  throw tokenError('PGRST303', 'Parsing claims failed', 'The claims are not a JSON object.');
}

/**
 * Checks validity period and audience of a token.
 * @throws GatewayError PGRST303
 */
function checkClaims(
  claims: Claims,
  { nowSec, audience }: { readonly nowSec: number; readonly audience: string | undefined },
): void {
  const expires = readTime(claims, 'exp');
  if (expires !== undefined && nowSec > expires + LEEWAY_SEC) throw tokenError('PGRST303', 'JWT expired');
  const begins = readTime(claims, 'nbf');
  if (begins !== undefined && nowSec < begins - LEEWAY_SEC) throw tokenError('PGRST303', 'JWT not yet valid');
  const issued = readTime(claims, 'iat');
  if (issued !== undefined && nowSec < issued - LEEWAY_SEC)
    throw tokenError('PGRST303', 'JWT issued at future');
  checkAudience(claims['aud'], audience);
}

function readTime(claims: Claims, name: string): number | undefined {
  const value = claims[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw tokenError('PGRST303', `The JWT '${name}' claim must be a number`);
}

/** Checks the audience. A token without an audience is valid for every audience. */
function checkAudience(value: unknown, audience: string | undefined): void {
  if (value === undefined || value === null) return;
  const names: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (!names.every((name) => typeof name === 'string'))
    throw tokenError('PGRST303', "The JWT 'aud' claim must be a string or an array of strings");
  if (audience !== undefined && names.length > 0 && !names.includes(audience))
    throw tokenError('PGRST303', 'JWT not in audience');
}

/**
 * Parses a claim path such as `.resource_access.api.roles[0]` or `."https://example.com/role"` into keys and indexes.
 * Undefined if invalid.
 */
function parseClaimPath(text: string): readonly (string | number)[] | undefined {
  const step = /\.([\p{L}\p{N}_@$-]+)|\."((?:[^"\\]|\\.)*)"|\[(\d{1,9})\]/uy;
  const path: (string | number)[] = [];
  while (step.lastIndex < text.length) {
    const match = step.exec(text);
    if (match === null) return undefined;
    const [, bare, quoted, index] = match;
    path.push(bare ?? quoted?.replaceAll(/\\(.)/g, '$1') ?? Number(index));
  }
  return path.length > 0 ? path : undefined;
}

/** Returns the value at a path; undefined if missing. */
function followClaimPath(claims: unknown, path: readonly (string | number)[]): unknown {
  let value = claims;
  for (const step of path) {
    const fits = typeof step === 'number' ? Array.isArray(value) : isRecord(value);
    if (!fits || !Object.hasOwn(value as object, step)) return undefined;
    value = (value as Record<string | number, unknown>)[step];
  }
  return value;
}

const isRecord = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Key = webcrypto.CryptoKey | Uint8Array;

/** A key for verifying signatures. */
interface TokenKey {
  readonly id?: string;
  /** For example `RS256`; absent if the key supports any algorithm of its type. */
  readonly algorithm?: string;
  readonly type: KeyType;
  /** @param algorithm of the token; each key is imported for one algorithm */
  load(algorithm: string): Promise<Key>;
}

/**
 * Parses `gateway.jwtKey`.
 * @throws Error as {@link parseJwtKey}
 */
const readTokenKeys = (text: string): readonly TokenKey[] =>
  parseJwtKey(text).map(({ kid, alg, ...jwk }) => {
    const loaded = new Map<string, Promise<Key>>();
    return {
      type: jwk.kty,
      ...(kid !== undefined && { id: kid }),
      ...(alg !== undefined && { algorithm: alg }),
      load(algorithm) {
        const known = loaded.get(algorithm);
        if (known !== undefined) return known;
        const key = importJWK(jwk, algorithm) as Promise<Key>;
        loaded.set(algorithm, key);
        return key;
      },
    };
  });

/** Returns the error for an invalid token. Its reason is also in `WWW-Authenticate`. */
const tokenError = (code: 'PGRST301' | 'PGRST303', message: string, details?: string): GatewayError =>
  new GatewayError(401, code, message, {
    details: details ?? null,
    headers: {
      'www-authenticate': `Bearer error="invalid_token", error_description="${message.replaceAll(/[^ -!#-[\]-~]/g, '')}"`,
    },
  });
