import { randomBytes } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import type { KeyFile, StoredKey } from './key-file.ts';

/** A key of HMAC with SHA-256, and the name under which tokens refer to it. */
export interface SigningKey {
  readonly kid: string;
  readonly secret: Uint8Array;
}

/** The keys of the home that sessions are signed with. The first is made when it is needed. */
export class SigningKeys {
  readonly #file: KeyFile;
  readonly #clock: Clock;

  constructor(parts: { readonly file: KeyFile; readonly clock: Clock }) {
    this.#file = parts.file;
    this.#clock = parts.clock;
  }

  /** The key that signs now. */
  current(): SigningKey {
    const [first] = this.#file.read().keys;
    return toKey(first ?? this.#makeFirst());
  }

  /** The key that something has been signed with, while that counts. */
  find(kid: string): SigningKey | undefined {
    const now = this.#clock.now();
    const key = this.#file.read().keys.find((candidate) => candidate.kid === kid);
    return key === undefined || (key.retiresAt ?? Infinity) <= now ? undefined : toKey(key);
  }

  /**
   * Signs with a new key from now on.
   * @param options.keepForSec how long sessions signed with the old ones count; 0 ends them all
   * @returns the name of the new key
   */
  rotate({ keepForSec }: { readonly keepForSec: number }): string {
    const now = this.#clock.now();
    return this.#file.change(({ keys, ...content }) => {
      const fresh = this.#make();
      const old = keys
        .map((key) => ({ ...key, retiresAt: Math.min(key.retiresAt ?? Infinity, now + keepForSec * 1000) }))
        .filter(({ retiresAt }) => retiresAt > now);
      return { content: { ...content, keys: [fresh, ...old] }, result: fresh.kid };
    });
  }

  #makeFirst(): StoredKey {
    return this.#file.change((content) => {
      const [first] = content.keys;
      // Another process has been quicker.
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
