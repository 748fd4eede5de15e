import { createHmac, randomBytes } from 'node:crypto';
import { AppError } from '../../base/errors.ts';
import type { LoginThrottle } from '../login-throttle.ts';
import { foldUsername } from '../users/check-user.ts';
import type { StoredUser } from '../users/user-file.ts';
import type { Users } from '../users/users.ts';

/** Pairs of name and password that are remembered. */
const mostRemembered = 1000;

/** Finds the user of a name and a password, and slows down those who guess. */
export class PasswordLogin {
  readonly #users: Users;
  readonly #throttle: LoginThrottle;
  /** Of this process; what it makes is of no use elsewhere. */
  readonly #key = randomBytes(32);
  /** Pairs that were right, which need no slow hash a second time: requests with basic authentication. */
  readonly #right = new Set<string>();
  readonly #underWay = new Map<string, Promise<StoredUser>>();

  constructor(parts: { readonly users: Users; readonly throttle: LoginThrottle }) {
    this.#users = parts.users;
    this.#throttle = parts.throttle;
  }

  /** Rejects with `unauthorized` or `too_many_requests`. */
  async verify(username: string, password: string, address: string | undefined): Promise<StoredUser> {
    const mark = this.#markOf(username, password);
    const user = this.#users.findByName(username);
    // The same pair twice at once is one guess.
    const other = this.#underWay.get(mark);
    if (other !== undefined) return other;
    const attempt = this.#throttle.begin(foldUsername(username), address);
    if (user !== undefined && this.#right.has(`${mark} ${user.passwordHash}`)) {
      attempt.succeed();
      return user;
    }
    const found = this.#look(username, password).finally(() => this.#underWay.delete(mark));
    this.#underWay.set(mark, found);
    const known = await found;
    attempt.succeed();
    this.#remember(`${mark} ${known.passwordHash}`);
    return known;
  }

  async #look(username: string, password: string): Promise<StoredUser> {
    const user = await this.#users.verify(username, password);
    if (user === undefined) throw new AppError('unauthorized', 'Wrong username or password.');
    await this.#users.refreshHash(user, password);
    return this.#users.find(user.id) ?? user;
  }

  #markOf(username: string, password: string): string {
    return createHmac('sha256', this.#key).update(`${username}\0${password}`).digest('base64');
  }

  #remember(mark: string): void {
    const [oldest] = this.#right;
    if (this.#right.size >= mostRemembered && oldest !== undefined) this.#right.delete(oldest);
    this.#right.add(mark);
  }
}
