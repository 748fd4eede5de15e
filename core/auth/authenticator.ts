import { AppError } from '../base/errors.ts';
import type { Credentials, Identity, Verifier } from './identity.ts';

/** Finds out who presents credentials of whatever kind. */
export class Authenticator {
  readonly #verifiers: Verifier[];

  /** @param verifiers in the order in which they are asked */
  constructor(verifiers: readonly Verifier[]) {
    this.#verifiers = [...verifiers];
  }

  /** Adds a kind of credentials, asked after the others. */
  add(verifier: Verifier): void {
    this.#verifiers.push(verifier);
  }

  /** Rejects with `unauthorized`, saying no more than the owner of the credentials may know, or `too_many_requests`. */
  async authenticate(
    credentials: Credentials,
    from: { readonly address?: string | undefined } = {},
  ): Promise<Identity> {
    for (const verifier of this.#verifiers) {
      const identity = await verifier.verify(credentials, from);
      if (identity !== undefined) return identity;
    }
    const what = credentials.scheme === 'basic' ? 'Wrong username or password.' : 'Invalid token.';
    throw new AppError('unauthorized', what);
  }
}
