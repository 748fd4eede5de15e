import { importJWK } from 'jose';
import type { webcrypto } from 'node:crypto';
import { type KeyType, parseJwtKey } from '../../config/file/values/read-jwt-key.ts';

type Key = webcrypto.CryptoKey | Uint8Array;

/** A key for verifying signatures. */
export interface TokenKey {
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
