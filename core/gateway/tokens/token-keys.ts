import { importJWK } from 'jose';
import type { webcrypto } from 'node:crypto';
import { type KeyType, parseJwtKey } from '../../config/file/values/read-jwt-key.ts';

type Key = webcrypto.CryptoKey | Uint8Array;

/** A key that signatures are verified with. */
export interface TokenKey {
  readonly id?: string;
  /** Such as `RS256`; absent when the key may be used with any algorithm of its type. */
  readonly algorithm?: string;
  readonly type: KeyType;
  /** @param algorithm of the token: keys are imported for one */
  load(algorithm: string): Promise<Key>;
}

/**
 * Reads `gateway.jwtKey`.
 * @throws Error as {@link parseJwtKey}
 */
export const readTokenKeys = (text: string): readonly TokenKey[] =>
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
