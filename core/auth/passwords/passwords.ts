import {
  defaultPasswordCost,
  hashPassword,
  hasOtherCost,
  makeUnmatchedHash,
  matchesHash,
  type PasswordCost,
} from './hash-password.ts';
import { InTurn } from './in-turn.ts';

/** Makes and checks hashes of passwords, a few at a time. */
export class Passwords {
  readonly #cost: PasswordCost;
  readonly #turns = new InTurn();

  constructor(cost: PasswordCost = defaultPasswordCost) {
    this.#cost = cost;
  }

  hash(password: string): Promise<string> {
    return this.#turns.run(() => hashPassword(password, this.#cost));
  }

  /**
   * Whether it is the password of the hash.
   * @param hash undefined for an unknown user: the answer is no, and takes as long
   */
  async matches(password: string, hash: string | undefined): Promise<boolean> {
    const compared = hash ?? makeUnmatchedHash(this.#cost);
    const isRight = await this.#turns.run(() => matchesHash(password, compared));
    return isRight && hash !== undefined;
  }

  /** Whether a hash should be made anew, now that its password is known. */
  isDated(hash: string): boolean {
    return hasOtherCost(hash, this.#cost);
  }
}
