import { AppError } from '../base/errors.ts';
import type { Credentials, Identity, Verifier } from './identity.ts';

/** Authenticates credentials of any kind. */
export class Authenticator {
  readonly #verifiers: Verifier[];

  /** @param verifiers in the order of use */
  constructor(verifiers: readonly Verifier[]) {
    this.#verifiers = [...verifiers];
  }

  /** Adds a credential verifier, used after the others. */
  add(verifier: Verifier): void {
    this.#verifiers.push(verifier);
  }

  /**
   * Authenticates a request. Rejects with `unauthorized`, with details only for the owner of the credentials, or
   * `too_many_requests`.
   */
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
