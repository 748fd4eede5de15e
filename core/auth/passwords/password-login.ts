import { createHmac, randomBytes } from 'node:crypto';
import { AppError } from '../../base/errors.ts';
import type { LoginThrottle } from '../login-throttle.ts';
import { normalizeUsername } from '../users/check-user.ts';
import type { StoredUser } from '../users/user-file.ts';
import type { Users } from '../users/users.ts';

/** Maximum number of cached credentials. */
const maxRemembered = 1000;

/** Finds the user of a name and password, and throttles guesses. */
export class PasswordLogin {
  readonly #users: Users;
  readonly #throttle: LoginThrottle;
  /** Key of this process, so that the cached digests are useless elsewhere. */
  readonly #key = randomBytes(32);
  /** Cached valid credentials, which avoid a slow hash for each request with basic authentication. */
  readonly #validCredentials = new Set<string>();
  readonly #inProgress = new Map<string, Promise<StoredUser>>();

  constructor(deps: { readonly users: Users; readonly throttle: LoginThrottle }) {
    this.#users = deps.users;
    this.#throttle = deps.throttle;
  }

  /** Rejects with `unauthorized` or `too_many_requests`. */
  async verify(username: string, password: string, address: string | undefined): Promise<StoredUser> {
    const credentialKey = this.#credentialKeyOf(username, password);
    const user = this.#users.findByName(username);
    // Parallel attempts with the same credentials count once.
    const other = this.#inProgress.get(credentialKey);
    if (other !== undefined) return other;
    const attempt = this.#throttle.begin(normalizeUsername(username), address);
    if (user !== undefined && this.#validCredentials.has(`${credentialKey} ${user.passwordHash}`)) {
      attempt.succeed();
      return user;
    }
    const found = this.#authenticate(username, password).finally(() =>
      this.#inProgress.delete(credentialKey),
    );
    this.#inProgress.set(credentialKey, found);
    const verified = await found;
    attempt.succeed();
    this.#remember(`${credentialKey} ${verified.passwordHash}`);
    return verified;
  }

  async #authenticate(username: string, password: string): Promise<StoredUser> {
    const user = await this.#users.verify(username, password);
    if (user === undefined) throw new AppError('unauthorized', 'Wrong username or password.');
    await this.#users.refreshHash(user, password);
    return this.#users.find(user.id) ?? user;
  }

  #credentialKeyOf(username: string, password: string): string {
    return createHmac('sha256', this.#key).update(`${username}\0${password}`).digest('base64');
  }

  #remember(credentialKey: string): void {
    const [oldest] = this.#validCredentials;
    if (this.#validCredentials.size >= maxRemembered && oldest !== undefined)
      this.#validCredentials.delete(oldest);
    this.#validCredentials.add(credentialKey);
  }
}
