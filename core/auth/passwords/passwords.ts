import {
  defaultPasswordCost,
  hashPassword,
  hasOtherCost,
  makeUnmatchedHash,
  matchesHash,
  type PasswordCost,
} from './hash-password.ts';
import { Mutex } from './mutex.ts';

/** Creates and checks password hashes, a few at a time. */
export class Passwords {
  readonly #cost: PasswordCost;
  readonly #turns = new Mutex();

  constructor(cost: PasswordCost = defaultPasswordCost) {
    this.#cost = cost;
  }

  hash(password: string): Promise<string> {
    return this.#turns.run(() => hashPassword(password, this.#cost));
  }

  /**
   * Whether the password matches the hash.
   * @param hash undefined for an unknown user: returns false in the same time
   */
  async matches(password: string, hash: string | undefined): Promise<boolean> {
    const compared = hash ?? makeUnmatchedHash(this.#cost);
    const isRight = await this.#turns.run(() => matchesHash(password, compared));
    return isRight && hash !== undefined;
  }

  /** Whether a hash should be replaced, once its password is known. */
  isDated(hash: string): boolean {
    return hasOtherCost(hash, this.#cost);
  }
}
