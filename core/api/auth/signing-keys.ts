import { randomBytes } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import type { AuthPaths } from './identity.ts';
import type { StoredKey } from '../../contract/home-files.ts';
import { JsonFile } from '../../store/json-file.ts';

/** An HMAC-SHA-256 key with its key id. */
export interface SigningKey {
  readonly kid: string;
  readonly secret: Uint8Array;
}

/** Session signing keys of the home. The first is created on demand. */
export class SigningKeys {
  readonly #file: KeyFile;
  readonly #clock: Clock;

  constructor(file: KeyFile, clock: Clock) {
    this.#file = file;
    this.#clock = clock;
  }

  /** Returns the current signing key. */
  current(): SigningKey {
    const [first] = this.#file.read().keys;
    return toKey(first ?? this.#createFirstKey());
  }

  /** Returns a valid key by id. */
  find(kid: string): SigningKey | undefined {
    const now = this.#clock.now();
    const key = this.#file.read().keys.find((candidate) => candidate.kid === kid);
    return key === undefined || (key.retiresAt ?? Infinity) <= now ? undefined : toKey(key);
  }

  /**
   * Signs with a new key from now on.
   * @param options.retentionSec validity of sessions signed with the old keys; 0 ends them all
   * @returns id of the new key
   */
  rotate({ retentionSec }: { readonly retentionSec: number }): string {
    const now = this.#clock.now();
    return this.#file.change(({ keys, ...content }) => {
      const fresh = this.#make();
      const old = keys
        .map((key) => ({ ...key, retiresAt: Math.min(key.retiresAt ?? Infinity, now + retentionSec * 1000) }))
        .filter(({ retiresAt }) => retiresAt > now);
      return { content: { ...content, keys: [fresh, ...old] }, result: fresh.kid };
    });
  }

  #createFirstKey(): StoredKey {
    return this.#file.change((content) => {
      const [first] = content.keys;
      // Another process has created one.
      if (first !== undefined) return { result: first };
      const fresh = this.#make();
      return { content: { ...content, keys: [fresh] }, result: fresh };
    });
  }

  #make(): StoredKey {
    return {
      kid: randomBytes(6).toString('hex'),
      secret: randomBytes(32).toString('base64url'),
      createdAt: this.#clock.now(),
    };
  }
}

const toKey = ({ kid, secret }: StoredKey): SigningKey => ({ kid, secret: Buffer.from(secret, 'base64url') });

type KeyFile = JsonFile<'keys'>;

export const openKeyFile = ({ key, lock }: AuthPaths): KeyFile =>
  new JsonFile({
    file: key,
    lock,
    kind: 'keys',
    empty: { version: 1, keys: [] },
    what: 'key file',
    remedy: 'Delete it to generate a new key; all users must sign in again.',
  });
