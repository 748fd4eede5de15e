import {
  defaultPasswordCost,
  hashPassword,
  needsRehash,
  createUnmatchableHash,
  matchesHash,
  type PasswordCost,
} from './hash-password.ts';
import { Mutex } from './mutex.ts';

/** Creates and checks password hashes, a few at a time. */
export class Passwords {
  readonly #cost: PasswordCost;
  readonly #mutex = new Mutex();

  constructor(cost: PasswordCost = defaultPasswordCost) {
    this.#cost = cost;
  }

  hash(password: string): Promise<string> {
    return this.#mutex.run(() => hashPassword(password, this.#cost));
  }

  /**
   * Whether the password matches the hash.
   * @param hash undefined for an unknown user: returns false in the same time
   */
  async matches(password: string, hash: string | undefined): Promise<boolean> {
    const compared = hash ?? createUnmatchableHash(this.#cost);
    const isRight = await this.#mutex.run(() => matchesHash(password, compared));
    return isRight && hash !== undefined;
  }

  /** Whether a hash should be replaced, once its password is known. */
  isOutdated(hash: string): boolean {
    return needsRehash(hash, this.#cost);
  }
}
