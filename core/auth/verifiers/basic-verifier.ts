import type { Credentials, Identity, Verifier } from '../identity.ts';
import type { PasswordLogin } from '../passwords/password-login.ts';

/** Authenticates users of the file by basic authentication, for tools without other support. */
export class BasicVerifier implements Verifier {
  readonly #login: PasswordLogin;

  constructor(login: PasswordLogin) {
    this.#login = login;
  }

  /** Rejects with `unauthorized` or `too_many_requests`. */
  async verify(
    credentials: Credentials,
    { address }: { readonly address?: string | undefined },
  ): Promise<Identity | undefined> {
    if (credentials.scheme !== 'basic') return undefined;
    const { id, username, role } = await this.#login.verify(
      credentials.username,
      credentials.password,
      address,
    );
    return { name: username, role, user: { id, username }, credential: { kind: 'basic', id } };
  }
}
