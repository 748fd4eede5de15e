import { compactVerify, decodeProtectedHeader, type ProtectedHeaderParameters } from 'jose';
import type { Clock } from '../../base/clock.ts';
import { keyTypeOf } from '../../config/file/values/read-jwt-key.ts';
import type { GatewaySettings } from '../gateway-settings.ts';
import { checkClaims, readClaims } from './claims.ts';
import { followClaimPath, parseClaimPath } from './claim-path.ts';
import { tokenError } from './token-error.ts';
import { readTokenKeys, type TokenKey } from './token-keys.ts';

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
    const type = keyTypeOf(alg);
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
