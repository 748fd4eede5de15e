import type { Credentials, Identity, Verifier } from '../identity.ts';
import type { LoginThrottle } from '../login-throttle.ts';
import type { AuthSettings } from '../settings.ts';
import { normalizeUsername } from '../users/check-user.ts';
import { timingSafeEqualStrings } from './equal-texts.ts';

/** Verifies the configured token and credentials, which have the admin role. */
export class ConfiguredVerifier implements Verifier {
  readonly #settings: AuthSettings;
  readonly #throttle: LoginThrottle;

  constructor(deps: { readonly settings: AuthSettings; readonly throttle: LoginThrottle }) {
    this.#settings = deps.settings;
    this.#throttle = deps.throttle;
  }

  /** Rejects with `too_many_requests` after wrong passwords for the configured name. */
  async verify(
    credentials: Credentials,
    { address }: { readonly address?: string | undefined },
  ): Promise<Identity | undefined> {
    const { basic, token } = this.#settings;
    if (credentials.scheme !== 'basic') {
      const isRight = token.value !== undefined && timingSafeEqualStrings(credentials.token, token.value);
      return isRight && credentials.scheme === 'bearer' ? administrator('api-token', 'token') : undefined;
    }
    const { username, password } = credentials;
    if (basic.username === undefined || basic.password === undefined) return undefined;
    if (!timingSafeEqualStrings(username, basic.username)) return undefined;
    const attempt = this.#throttle.begin(`configured ${normalizeUsername(username)}`, address);
    if (!timingSafeEqualStrings(password, basic.password)) return undefined;
    attempt.succeed();
    return administrator(username, 'basic');
  }
}

const administrator = (name: string, kind: 'basic' | 'token'): Identity => ({
  name,
  role: 'admin',
  credential: { kind, id: 'configured' },
});
